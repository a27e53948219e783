import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { isAllowedAddress, targetPolicy } from '../net/target.ts'
import { PUBLIC } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { isDevelopment, isFromDeveloper, preferredLanguage } from '../http/dev-only.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { type CapturedRequest, CapturedRequests } from './captured-requests.ts'
import { renderPage, summaryOf } from './page.ts'
import { findCandidateSecrets } from './candidate-secrets.ts'
import { checkSignatures } from './signature-checks.ts'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')
const STYLE = join(import.meta.dirname, 'page.css')
const FORBIDDEN = 401

const open = { config: { access: PUBLIC, pool: null }, schema: { hide: true } } as const

/**
 * The webhook inspector: `POST {devPath}/hooks/{anything}` captures a request in memory and verifies
 * its signatures, `GET {devPath}/hooks` lists the requests. Without `DEV_PAGES` neither route exists.
 */
export async function devHookRoutes(app: App, ctx: Context): Promise<void> {
  const { devPath } = ctx.config
  if (devPath === undefined || !isDevelopment(ctx.config)) return
  const path = `${devPath}/hooks`
  const requests = new CapturedRequests()
  const style = readFileSync(STYLE, 'utf8')
  const address = (ctx.config.publicUrl ?? '') + path
  const isReachable = isAllowedAddress('127.0.0.1', targetPolicy(ctx.config))

  await app.register(async (scope) => {
    // Signatures cover the raw bytes, so that no content-type parser may run.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body)
    })
    scope.addHook('onRequest', async (request) => {
      if (isFromDeveloper(request)) return
      throw new AppError('not_found', 'This address does not exist.')
    })

    scope.get(path, open, async (request, reply) => {
      reply.header('cache-control', 'no-store').header('vary', 'Accept, Accept-Language')
      if (/json/.test(request.headers.accept ?? '')) {
        return reply
          .type('application/json')
          .serializer(JSON.stringify)
          .send({ data: requests.list().map(serializeCaptured) })
      }
      const page = renderPage({
        language: preferredLanguage(request),
        path,
        address,
        isReachable,
        follows: /[?&]follow\b/.test(request.url),
        requests: requests.list(),
      })
      return reply
        .header('content-security-policy', POLICY)
        .type('text/html; charset=utf-8')
        .send(page)
    })

    scope.get(`${path}.css`, open, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(style),
    )

    scope.post(path, open, async (_request, reply) => {
      requests.clear()
      return reply.redirect(path, 303)
    })

    scope.post(`${path}/*`, open, async (request, reply) => {
      const { body, headers } = read(request)
      const at = ctx.now()
      const signers = await findCandidateSecrets(ctx)
      const checks = checkSignatures({ headers: Object.fromEntries(headers), body, at }, signers)
      const verified = summaryOf(checks) === 'good'
      const status = requestedStatus(request) ?? (verified ? 200 : FORBIDDEN)
      requests.add({ at, path: request.url, headers, body, checks, status })
      return reply
        .code(status)
        .type('application/json')
        .serializer(JSON.stringify)
        .send({ verified, signatures: checks.map(serializeCheck) })
    })
  })
}

function read({ body, raw }: FastifyRequest): {
  body: string
  headers: [name: string, value: string][]
} {
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0)
  return {
    body: Buffer.isBuffer(body) ? body.toString('utf8') : '',
    headers: names.map((name, index) => [name.toLowerCase(), raw.rawHeaders[index * 2 + 1] ?? '']),
  }
}

/** Parses the requested status of the response, such as `?status=500`. */
function requestedStatus(request: FastifyRequest): number | undefined {
  const [, asked] = /[?&]status=([2-5]\d\d)(?:&|$)/.exec(request.url) ?? []
  return asked === undefined ? undefined : Number(asked)
}

function serializeCaptured({ at, path, headers, body, checks, status, attempt }: CapturedRequest) {
  return {
    at: isoTime(at),
    path,
    headers: Object.fromEntries(headers),
    body,
    verified: summaryOf(checks) === 'good',
    signatures: checks.map(serializeCheck),
    status,
    attempt,
  }
}

function serializeCheck({ name, result, endpointId }: CapturedRequest['checks'][number]) {
  return { name, result, endpoint_id: endpointId }
}
