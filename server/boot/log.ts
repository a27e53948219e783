import pino from 'pino'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'

/** Opens the log: JSON lines on stdout, readable lines on a terminal. URLs lose their query; bodies
 * are never logged. */
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
