import pino from 'pino'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'

/** JSON lines on stdout, readable ones on a terminal. Addresses without their query, no bodies. */
export function openLog(level: Config['logLevel'], isTerminal: boolean): FastifyBaseLogger {
  return pino({
    level,
    serializers: {
      req: (request: { method?: string; url?: string; id?: string }) => ({
        id: request.id,
        method: request.method,
        path: request.url?.split('?')[0],
      }),
      err: serializeError,
    },
    ...(isTerminal
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }
      : {}),
  })
}

/** The type, message and stack of an error and its causes; never what else hangs on it. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  }
}
