import { z } from 'zod'
import type { Context } from '../context.ts'
import { PUBLIC, managers, members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, invalidFields } from '../http/errors.ts'
import { PageQuery, isoTime, pageSchema } from '../http/pagination.ts'
import { encodeCursor, toPage } from '../lib/cursor.ts'
import { actorOf } from '../platform/audit/audit.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { openImage } from './runs/images.ts'
import { saveFact } from './facts.ts'
import {
  addPrompt,
  changePrompt,
  removeStoredPrompt,
  listAllPrompts,
  listPromptVersions,
  readPrompt,
} from './prompts.ts'
import type { RunServices } from './runs/execute.ts'
import { executeRoutes } from './runs/routes.execute.ts'
import { runRoutes } from './runs/routes.ts'
import {
  ChangedPrompt,
  Fact,
  FactKey,
  NewFact,
  NewPrompt,
  Prompt,
  PromptVersion,
  RunLocale,
} from './schema.ts'
import { type FactRow, deleteFact, findFact, listFacts } from './store.ts'

const PromptPath = z.object({ prompt_id: z.string().max(64) })
const FactPath = z.object({ key: z.string().max(64) })
const Language = z.strictObject({ locale: RunLocale.optional() })
const tags = ['Prompts']
const reading = {
  access: members(['prompts:manage', 'prompts:execute']),
  pool: 'default',
} as const
const managing = { access: managers('prompts:manage'), pool: 'default' } as const
const remembering = {
  access: members('prompts:manage', { feature: 'memory' }),
  pool: 'default',
} as const

const list = {
  config: reading,
  schema: {
    summary: 'The library and your own prompts, by name',
    tags,
    querystring: PageQuery.extend(Language.shape),
    response: { 200: pageSchema(Prompt) },
  },
} as const

const read = {
  config: reading,
  schema: {
    summary: 'One prompt',
    tags,
    params: PromptPath,
    querystring: Language,
    response: { 200: Prompt },
  },
} as const

const versions = {
  config: reading,
  schema: {
    summary: 'The versions of your prompt, newest first',
    tags,
    params: PromptPath,
    querystring: PageQuery,
    response: { 200: pageSchema(PromptVersion) },
  },
} as const

const create = {
  config: { ...managing, mayFail: ['conflict'] },
  schema: {
    summary: 'Create your own prompt',
    description:
      'In `template` and `instructions`, `{{name}}` stands for an input and `{{memory.key}}` for ' +
      'a fact of the workspace. `inputs_schema` is JSON Schema 2020-12 of an object.',
    tags,
    body: NewPrompt,
    response: { 201: Prompt },
  },
} as const

const change = {
  config: { ...managing, mayFail: ['conflict'] },
  schema: {
    summary: 'Create a new version of your prompt; earlier runs keep theirs',
    tags,
    params: PromptPath,
    body: ChangedPrompt,
    response: { 200: Prompt },
  },
} as const

const remove = {
  config: managing,
  schema: {
    summary: 'Delete your prompt',
    tags,
    params: PromptPath,
    response: { 204: z.null() },
  },
} as const

const facts = {
  config: remembering,
  schema: {
    summary: 'The facts of the workspace, by key',
    tags: ['Memory'],
    querystring: PageQuery,
    response: { 200: pageSchema(Fact) },
  },
} as const

const readFact = {
  config: remembering,
  schema: {
    summary: 'One fact',
    tags: ['Memory'],
    params: FactPath,
    response: { 200: Fact },
  },
} as const

const writeFact = {
  config: { ...remembering, mayFail: ['conflict', 'not_found'] },
  schema: {
    summary: 'Create or change a fact',
    tags: ['Memory'],
    params: z.object({ key: FactKey }),
    body: NewFact,
    response: { 200: Fact },
  },
} as const

const forgetFact = {
  config: remembering,
  schema: {
    summary: 'Forget a fact',
    tags: ['Memory'],
    params: FactPath,
    response: { 204: z.null() },
  },
} as const

const image = {
  config: { access: PUBLIC, pool: 'open' },
  schema: {
    summary: 'An image of a run, by its link',
    tags,
    produces: ['image/png', 'image/jpeg', 'image/webp'],
    params: z.object({ image_id: z.string().max(64) }),
    querystring: z.strictObject({
      expires: z.coerce.number().int().min(0),
      signature: z.string().max(100),
    }),
  },
} as const

/** The library, the workspace's prompts, facts, images and runs. */
export function promptRoutes(app: App, ctx: Context, { runs }: { runs: RunServices }): void {
  app.get('/api/v1/prompts', list, async (request) => {
    const { limit, cursor, locale } = request.query
    const caller = requireMember(request)
    const rows = await listAllPrompts(ctx, caller.workspaceId, {
      after: cursor?.id ?? '',
      limit: limit + 1,
      locale: locale ?? caller.locale,
    })
    return pageByName(rows, limit, ({ prompt_id }) => prompt_id)
  })

  app.get('/api/v1/prompts/:prompt_id', read, async (request) => {
    const caller = requireMember(request)
    const locale = request.query.locale ?? caller.locale
    return readPrompt(ctx, caller.workspaceId, request.params.prompt_id, locale)
  })

  app.get('/api/v1/prompts/:prompt_id/versions', versions, async (request) => {
    const { limit, cursor } = request.query
    const { workspaceId } = requireMember(request)
    const { prompt_id: promptId } = request.params
    const page = { limit, before: cursor?.at }
    const rows = await listPromptVersions(ctx, workspaceId, promptId, page)
    const cursorOf = ({ version }: PromptVersion) => ({ at: version, id: promptId })
    return toPage(rows, limit, cursorOf, (row) => row)
  })

  app.post('/api/v1/prompts', create, async (request, reply) => {
    const prompt = await addPrompt(
      ctx,
      requireMember(request).workspaceId,
      request.body,
      actorOf(request),
    )
    return reply.code(201).send(prompt)
  })

  app.put('/api/v1/prompts/:prompt_id', change, async (request) => {
    const { prompt_id: promptId } = request.params
    const { prompt_id: named, ...definition } = request.body
    if (named !== undefined && named !== promptId) {
      throw invalidFields([{ path: '/prompt_id', message: 'cannot be changed' }])
    }
    const { workspaceId } = requireMember(request)
    return changePrompt(ctx, workspaceId, { promptId, definition }, actorOf(request))
  })

  app.delete('/api/v1/prompts/:prompt_id', remove, async (request, reply) => {
    const { workspaceId } = requireMember(request)
    await removeStoredPrompt(ctx, workspaceId, request.params.prompt_id, actorOf(request))
    return reply.code(204).send(null)
  })

  app.get('/api/v1/memory', facts, async (request) => {
    const { limit, cursor } = request.query
    const { workspaceId } = requireMember(request)
    const page = { after: cursor?.id ?? '', limit: limit + 1 }
    const rows = await listFacts(ctx.db, workspaceId, page)
    return pageByName(rows.map(serializeFact), limit, ({ key }) => key)
  })

  app.get('/api/v1/memory/:key', readFact, async (request) => {
    const row = await findFact(ctx.db, requireMember(request).workspaceId, request.params.key)
    if (!row) throw new AppError('not_found', 'This fact does not exist.')
    return serializeFact(row)
  })

  app.put('/api/v1/memory/:key', writeFact, async (request) => {
    const { workspaceId } = requireMember(request)
    return serializeFact(await saveFact(ctx, workspaceId, { ...request.params, ...request.body }))
  })

  app.delete('/api/v1/memory/:key', forgetFact, async (request, reply) => {
    if (!(await deleteFact(ctx.db, requireMember(request).workspaceId, request.params.key))) {
      throw new AppError('not_found', 'This fact does not exist.')
    }
    return reply.code(204).send(null)
  })

  app.get('/api/v1/images/:image_id', image, async (request, reply) => {
    const { expires, signature } = request.query
    const link = { id: request.params.image_id, expires, signature }
    const { row, secondsLeft } = await openImage(ctx, link)
    return reply
      .type(row.media_type)
      .headers({
        'cache-control': `private, max-age=${secondsLeft}, immutable`,
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      .send(Buffer.from(row.data, 'base64'))
  })

  executeRoutes(app, ctx, runs)
  runRoutes(app, ctx)
}

function serializeFact(row: FactRow): z.infer<typeof Fact> {
  return {
    key: row.key,
    value: row.value,
    tenant_id: row.tenant_id,
    public: row.is_public === 1,
    updated_at: isoTime(row.updated_at),
  }
}

/** Builds a page of a list by name, from one row more than the page shows. */
function pageByName<Item>(rows: readonly Item[], limit: number, nameOf: (row: Item) => string) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const hasMore = last !== undefined && rows.length > limit
  return { data, next_cursor: hasMore ? encodeCursor({ at: 0, id: nameOf(last) }) : null }
}
