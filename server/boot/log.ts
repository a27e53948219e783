import pino, { type DestinationStream } from 'pino'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'

/**
 * Opens the log: JSON lines on stdout or to `destination`, readable lines on a terminal. Bodies are
 * never logged, and of addresses the route's pattern alone.
 */
export function openLog(
  level: Config['logLevel'],
  isTerminal: boolean,
  destination?: DestinationStream,
): FastifyBaseLogger {
  const options = {
    level,
    serializers: {
      req: serializeRequest,
      err: serializeError,
    },
    ...(isTerminal
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }
      : {}),
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Returns a request by its route: signatures and links of visitors are parts of paths. */
export function serializeRequest(request: {
  id?: string
  method?: string
  routeOptions?: { url?: string | undefined }
}): object {
  return { id: request.id, method: request.method, route: request.routeOptions?.url ?? 'none' }
}

/**
 * Returns type, message and stack of an error and its causes; other properties may hold secrets.
 */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  }
}
