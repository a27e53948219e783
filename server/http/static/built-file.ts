import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { etagOf } from '../caching.ts'
import { AppError } from '../errors.ts'

/** Reads a built file, compressed where the browser accepts Brotli. Throws 404 before the build. */
export function readBuilt(
  folder: string,
  file: string,
  request: FastifyRequest,
): { bytes: Buffer; etag: string; headers: Record<string, string> } {
  const path = join(folder, file)
  const acceptsBrotli = /(^|[\s,])br(?!;q=0(\.0*)?\s*(,|$))/.test(
    request.headers['accept-encoding'] ?? '',
  )
  const isCompressed = acceptsBrotli && existsSync(`${path}.br`)
  if (!existsSync(path)) {
    throw new AppError('not_found', 'This file is not built. Run `npm run build`.')
  }
  const bytes = readFileSync(isCompressed ? `${path}.br` : path)
  const etag = etagOf(bytes)
  return {
    bytes,
    etag,
    headers: {
      etag,
      vary: 'Accept-Encoding',
      ...(isCompressed ? { 'content-encoding': 'br' } : {}),
    },
  }
}
