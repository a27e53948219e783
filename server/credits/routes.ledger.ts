import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { managers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { sendCsv } from '../http/csv-download.ts'
import { invalidFields } from '../http/errors.ts'
import { PageQuery, pageSchema } from '../http/pagination.ts'
import { type Cursor, toPage } from '../lib/cursor.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { type ExportForm, exportLedger } from './export.ts'
import { startMonth } from './month-rollover.ts'
import { type Instants, parseInstants } from './range.ts'
import { LedgerRow, LedgerType, Range, type RangeQuery } from './schema.ts'
import { serializeLedgerRow } from './serialize.ts'
import { type LedgerPosition, listLedger } from './store.ledger.ts'
import { getWorkspace } from '../platform/auth/store.ts'

// Operators may not see payments; `auth/me` shows them the remaining credits.
const config = { access: managers('credits:read'), pool: 'default' } as const
const Filter = { ...Range, type: LedgerType.optional() }

const list = {
  config,
  schema: {
    summary: 'List the changes of the credits, newest first',
    tags: ['Credits'],
    querystring: PageQuery.extend(Filter),
    response: { 200: pageSchema(LedgerRow) },
  },
} as const

const asCsv = {
  config,
  schema: {
    summary: 'The ledger as CSV, oldest first',
    tags: ['Credits'],
    querystring: z.strictObject(Filter),
    produces: ['text/csv'],
  },
} as const

const asLines = {
  config,
  schema: {
    summary: 'The ledger as lines of JSON, oldest first',
    tags: ['Credits'],
    querystring: z.strictObject(Filter),
    produces: ['application/jsonl'],
  },
} as const

/** The ledger, as pages and as files. */
export function ledgerRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/credits/ledger', list, async (request) => {
    const { limit, cursor, type } = request.query
    const { workspaceId } = requireMember(request)
    const range = await parseRange(ctx, workspaceId, request.query)
    await startMonth(ctx, workspaceId)
    const rows = await listLedger(
      ctx.db,
      workspaceId,
      { ...range, type },
      { order: 'new', limit: limit + 1, after: cursor && parseLedgerPosition(cursor) },
    )
    return toPage(
      rows,
      limit,
      ({ created_at, sequence }) => ({ at: created_at, id: String(sequence) }),
      serializeLedgerRow,
    )
  })

  app.get('/api/v1/credits/ledger.csv', asCsv, async (request, reply) =>
    sendFile(request, reply, request.query, 'csv'),
  )

  app.get('/api/v1/credits/ledger.jsonl', asLines, async (request, reply) =>
    sendFile(request, reply, request.query, 'jsonl'),
  )

  async function sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    query: RangeQuery & { type?: LedgerType | undefined },
    form: ExportForm,
  ): Promise<FastifyReply> {
    const { workspaceId } = requireMember(request)
    const range = await parseRange(ctx, workspaceId, query)
    await startMonth(ctx, workspaceId)
    const rows = exportLedger(ctx, workspaceId, { ...range, type: query.type }, form)
    if (form === 'csv') return sendCsv(request, reply, { fileName: 'ledger.csv', lines: rows })
    return reply
      .type('application/jsonl; charset=utf-8')
      .header('content-disposition', 'attachment; filename="ledger.jsonl"')
      .send(Readable.from(rows, { objectMode: false }))
  }
}

async function parseRange(ctx: Context, workspaceId: string, query: RangeQuery): Promise<Instants> {
  if (query.from === undefined && query.to === undefined) {
    return { from: undefined, until: undefined }
  }
  const { time_zone } = await getWorkspace(ctx.db, workspaceId)
  return parseInstants(query, time_zone)
}

function parseLedgerPosition({ at, id }: Cursor): LedgerPosition {
  if (/^\d{1,15}$/.test(id)) return { at, sequence: Number(id) }
  throw invalidFields([{ path: '/cursor', message: 'is not a cursor of this list' }])
}
