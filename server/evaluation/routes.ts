import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { PageQuery, isoTime, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { newId } from '../lib/ids.ts'
import { toCredits } from '../lib/money.ts'
import { usedBy } from '../credits/usage.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { loadTenant, TenantPath } from '../knowledge/documents/load-tenant.ts'
import { findTenant } from '../tenants/tenants.ts'
import { askQuestion } from './ask.ts'
import { startRunOf } from './runs.ts'
import {
  AskQuestion,
  Asked,
  Expected,
  NewTestQuestion,
  TestQuestion,
  TestResults,
} from './schema.ts'
import {
  type TestQuestionRow,
  type TestRunRow,
  countTestQuestions,
  deleteTestQuestion,
  findTestQuestionOwner,
  insertTestQuestion,
  listLastRuns,
  listTestQuestions,
  listTestResults,
  noteTrial,
} from './store.ts'
import { figuresOf } from './verdict.ts'
import { onResponseClosed } from '../http/response-closed.ts'

/** A run asks the questions one by one, and occupies a worker until its end. */
const MAX_TEST_QUESTIONS = 500

const config = { access: members('chat:manage'), pool: 'default' } as const
const tags = ['Answers']
const QuestionPath = TenantPath.extend({ question_id: z.string().max(64) })

const ask = {
  config: {
    ...config,
    mayFail: ['credits_exhausted', 'credits_held', 'model_failed', 'model_timeout'],
  },
  schema: {
    summary: 'Ask the bot a test question; returns its answer and passages',
    description:
      'Nothing is stored. Credits are charged where a model writes the answer, as for a turn; the ' +
      'daily cap of the site does not apply.',
    tags,
    params: TenantPath,
    body: AskQuestion,
    response: { 200: Asked },
  },
} as const

const list = {
  config,
  schema: {
    summary: 'List the questions of the test set, newest first',
    tags,
    params: TenantPath,
    querystring: PageQuery,
    response: { 200: pageSchema(TestQuestion) },
  },
} as const

const add = {
  config: { ...config, mayFail: ['conflict'] },
  schema: {
    summary: 'Add a question with the criteria of a right answer',
    tags,
    params: TenantPath,
    body: NewTestQuestion,
    response: { 201: TestQuestion },
  },
} as const

const remove = {
  config,
  schema: {
    summary: 'Remove a question from the test set',
    tags,
    params: QuestionPath,
    response: { 204: z.null() },
  },
} as const

const run = {
  config: { ...config, mayFail: ['conflict'] },
  schema: {
    summary: 'Run the test set; each question costs the same as `ask`',
    tags,
    params: TenantPath,
    body: z.strictObject({}).nullish(),
    response: { 202: z.object({ run_id: z.string() }) },
  },
} as const

const results = {
  config,
  schema: {
    summary: 'The last run of the test set, with the previous one; 204 before the first run',
    tags,
    params: TenantPath,
    response: { 200: TestResults, 204: z.null() },
  },
} as const

/** Registers the test console and the test set of a tenant. */
export function evaluationRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/tenants/:tenant_id/questions'

  app.post('/api/v1/tenants/:tenant_id/ask', ask, async (request, reply) => {
    const caller = requireMember(request)
    await loadTenant(ctx, caller, request.params.tenant_id)
    const tenant = await findTenant(ctx.db, request.params.tenant_id)
    if (!tenant) throw new AppError('not_found', 'This tenant does not exist.')
    const stop = new AbortController()
    onResponseClosed(reply.raw, () => stop.abort())
    const question = { ...request.body, askedBy: usedBy(caller) }
    const asked = await askQuestion(ctx, tenant, question, stop.signal)
    if (tenant.tried_at === null) await noteTrial(ctx.db, tenant, ctx.now())
    return asked
  })

  app.get(base, list, async (request) => {
    const tenant = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
    const { limit, cursor } = request.query
    const rows = await listTestQuestions(ctx.db, tenant, { limit, after: cursor })
    const cursorOf = (row: TestQuestionRow) => ({ at: row.created_at, id: row.id })
    return toPage(rows, limit, cursorOf, serializeTestQuestion)
  })

  app.post(base, add, async (request, reply) => {
    const tenant = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
    const row: TestQuestionRow = {
      id: newId('tq'),
      workspace_id: tenant.workspaceId,
      tenant_id: tenant.tenantId,
      question: request.body.question,
      expected: JSON.stringify(request.body.expected),
      created_at: ctx.now(),
    }
    await transaction(ctx, async (tx) => {
      if ((await countTestQuestions(tx.db, tenant)) >= MAX_TEST_QUESTIONS) {
        throw new AppError(
          'conflict',
          `A test set has at most ${MAX_TEST_QUESTIONS} questions. Remove others first.`,
        )
      }
      await insertTestQuestion(tx.db, row)
    })
    return reply.code(201).send(serializeTestQuestion(row))
  })

  app.delete(`${base}/:question_id`, remove, async (request, reply) => {
    const { params } = request
    const { workspaceId, tenantId } = await loadTenant(
      ctx,
      requireMember(request),
      params.tenant_id,
    )
    const owner = await findTestQuestionOwner(ctx.db, params.question_id)
    assertOwned(owner?.workspace_id, workspaceId, 'question')
    if (owner?.tenant_id !== tenantId) {
      throw new AppError('not_found', 'This question does not exist at this tenant.')
    }
    await deleteTestQuestion(ctx.db, workspaceId, params.question_id)
    return reply.code(204).send(null)
  })

  app.post(`${base}/run`, run, async (request, reply) => {
    const caller = requireMember(request)
    const tenant = await loadTenant(ctx, caller, request.params.tenant_id)
    const { id } = await startRunOf(ctx, caller, tenant)
    return reply.code(202).send({ run_id: id })
  })

  app.get(`${base}/results`, results, async (request, reply) => {
    const tenant = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
    const [last, before] = await listLastRuns(ctx.db, tenant, 2)
    if (!last) return reply.code(204).send(null)
    return serializeResults(ctx, last, before)
  })
}

function serializeTestQuestion(row: TestQuestionRow): TestQuestion {
  return {
    question_id: row.id,
    question: row.question,
    expected: Expected.parse(JSON.parse(row.expected)),
    created_at: isoTime(row.created_at),
  }
}

async function serializeResults(
  ctx: Context,
  last: TestRunRow,
  before: TestRunRow | undefined,
): Promise<TestResults> {
  const rows = await listTestResults(ctx.db, last.workspace_id, last.id)
  const earlier = before ? await listTestResults(ctx.db, last.workspace_id, before.id) : []
  const outcomes = new Map(earlier.map(({ question_id, outcome }) => [question_id, outcome]))
  const figures = figuresOf(
    rows.map(({ outcome, is_found: isFound, confidence, credits }) => ({
      verdict: outcome,
      isFound: isFound === null ? null : isFound === 1,
      confidence,
      credits: toCredits(credits),
    })),
  )
  return {
    ...figures,
    run_id: last.id,
    state: last.state === 'waiting' ? 'running' : last.state,
    error: last.error,
    at: isoTime(last.ended_at ?? last.created_at),
    results: rows.map((row) => {
      const previous = outcomes.get(row.question_id) ?? null
      return {
        question_id: row.question_id,
        question: row.question,
        outcome: row.outcome,
        before: previous,
        changed: previous !== null && previous !== row.outcome,
        answer: row.answer,
        confidence: row.confidence,
        credits_used: toCredits(row.credits),
      }
    }),
  }
}
