import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Tells Excel that a file is UTF-8; without it, letters such as “ğ” are shown as two others. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Sends lines as a CSV file. What a person saves in a browser begins with a byte order mark; programs,
 * whose parsers would take it for a part of the first column's name, get the lines alone.
 */
export function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  { fileName, lines }: { fileName: string; lines: Iterable<string> | AsyncIterable<string> },
): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(isBrowser(request) ? begun(lines) : lines, { objectMode: false }))
}

/** Whether the cookie of a login is the request's credential. */
function isBrowser({ headers }: FastifyRequest): boolean {
  return headers.authorization === undefined && headers['x-api-key'] === undefined
}

async function* begun(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  yield* lines
}
