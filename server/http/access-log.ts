import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app-type.ts'

/** A supervisor and a scraper ask every few seconds. */
const UNLOGGED = /^\/(?:health\/|metrics)/
const NO_ROUTE = 'none'

/** Logs each answered request, with its id; health checks and scrapes aside. */
export function logRequests(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    const line = lineOf(request, reply)
    if (!UNLOGGED.test(line.route)) request.log.info(line, 'request answered')
    done()
  })
}

/** Never the address or the body: signatures and links of visitors are parts of paths. */
function lineOf({ method, caller, routeOptions }: FastifyRequest, reply: FastifyReply) {
  return {
    event: 'http.answered',
    method,
    route: routeOptions.url ?? NO_ROUTE,
    status: reply.raw.statusCode,
    ms: Math.round(reply.elapsedTime),
    workspace: caller && 'workspaceId' in caller ? caller.workspaceId : undefined,
  }
}
