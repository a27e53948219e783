import { beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import {
  OPERATOR_TOKEN,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
} from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { ALWAYS_OPEN, fillWorkspace, makeKey } from './filled-workspace.ts'
import { type Operation, fill, idsOf, nestedIdsOf, operationsOf } from './operations.ts'

/** The public routes. A new route is only public when somebody adds it here. */
const PUBLIC = [
  'get /health/live',
  'get /health/ready',
  'get /metrics',
  'get /widget.js',
  'get /widget.json',
  'get /widget.d.ts',
  'get /adapters/intercom.js',
  'get /adapters/crisp.js',
  'get /adapters/chatwoot.js',
  'get /adapters/tawk.js',
  'get /adapters/zendesk.js',
  'get /demo',
  'get /api/v1/widget/{tenant_id}/config',
  'get /api/v1/images/{image_id}',
  'get /api/v1/pictures/{picture_id}',
  'get /api/v1/logos/{logo_id}',
  'get /api/v1/setup',
  'post /api/v1/operator/session',
  'post /api/v1/setup',
  'post /api/v1/account/email/confirm',
  'post /api/v1/auth/token',
  'post /api/v1/auth/refresh',
  'post /api/v1/auth/login',
  'post /api/v1/members/accept',
  'post /api/v1/auth/password/reset',
  'post /api/v1/auth/password/reset/confirm',
  'post /api/v1/auth/visitor',
  'post /api/v1/analytics/events',
  // Signed by the caller.
  'get /api/v1/hooks/{kind}/{integration_id}',
  'post /api/v1/hooks/{kind}/{integration_id}',
]
/** Done in person, never with a key. */
const IN_PERSON =
  /^\w+ \/api\/v1\/(api-keys|members|account|push|auth\/(logout|password)|workspace\/(export|close|reopen|mail|model|embedding))|^put \/api\/v1\/presence/
/** About the caller alone: whose thing it is cannot be asked. */
const OF_ONESELF =
  /^post \/api\/v1\/(auth\/(logout|password)|workspace\/(close|mail\/test)|logos)$|^\w+ \/api\/v1\/account/
/** For visitor tokens alone. */
const OF_VISITORS = new Set(['post /api/v1/chatbot/identify'])
const NEVER = 'A'.repeat(22)
const UNKNOWN: Record<string, string> = {
  tenant_id: 'no-such-tenant',
  ws_id: `ws_${NEVER}`,
  prompt_id: 'no-such-prompt',
  key: 'no-such-fact',
}
/** Names that are unique per workspace: another workspace's are unknown, and free to be taken. */
const OWN_NAMES = /\{(prompt_id|key)\}|^post \/api\/v1\/prompts/
const TAKES_A_NAME = new Set([
  'post /api/v1/tenants',
  'post /api/v1/prompts',
  'put /api/v1/memory/{key}',
])

interface Seen {
  status: number
  code: string
}

/** Where an id is asked of someone who may call the route, but not for this id. */
function refusalOf(operation: Operation): Seen | undefined {
  if (OWN_NAMES.test(operation.id)) {
    return TAKES_A_NAME.has(operation.id) ? undefined : { status: 404, code: 'not_found' }
  }
  return operation.id === 'post /api/v1/tenants'
    ? { status: 409, code: 'conflict' }
    : { status: 403, code: 'forbidden' }
}

describeOnBothDatabases('every described route', (database) => {
  let operations: Operation[]
  let own: TestWorkspace
  let stranger: TestWorkspace
  /** Ids of `own`, by the name that routes give them. */
  let ids: Record<string, string>
  let strangerKey: string
  let starterKey: string
  let ownVisitor: string
  let calls = 0

  const product = useProduct(database, {
    settings: { ALLOW_PRIVATE_TARGETS: 'true', TRUSTED_PROXIES: '127.0.0.1' },
  })
  beforeAll(async () => {
    operations = operationsOf((await product.call('/api/v1/openapi.json')).body)
    own = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    stranger = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    strangerKey = await makeKey(product, stranger)
    const starter = await addWorkspace(product)
    starterKey = await makeKey(product, starter)
    await product.call(`/api/v1/operator/workspaces/${starter.id}`, {
      method: 'PATCH',
      token: OPERATOR_TOKEN,
      body: { plan: 'starter' },
    })
    ownVisitor = await addVisitor(product, own)
    ids = await fillWorkspace(product, own, ownVisitor)
  })

  async function ask(
    operation: Operation,
    token: string | undefined,
    known: Record<string, string>,
  ): Promise<Seen & { text: string }> {
    const { path, body } = fill(operation, known)
    calls += 1
    const answer = await product.call<Partial<Problem>>(path, {
      method: operation.method.toUpperCase(),
      // An address of its own each time, so that no limit on wrong keys is in the way.
      headers: { 'x-forwarded-for': `192.0.${calls >> 8}.${calls & 255}` },
      ...(token === undefined ? {} : { token }),
      ...(body === undefined ? {} : { body }),
    })
    expect(answer.status, `${operation.id}: ${answer.text}`).toBeLessThan(500)
    return { status: answer.status, code: answer.body?.code ?? '', text: answer.text }
  }

  /** Returns the protected routes whose answer is not the expected one. */
  async function judge(
    name: string,
    expected: (operation: Operation) => Seen | 'nothing of theirs' | undefined,
    token: string | undefined,
    known: Record<string, string>,
  ): Promise<string[]> {
    const wrong: string[] = []
    for (const operation of operations.filter(({ id }) => !PUBLIC.includes(id))) {
      const wanted = expected(operation)
      if (wanted === undefined) continue
      const seen = await ask(operation, token, known)
      const leaked = Object.values(ids).filter(
        (id) => !fillsIn(operation) && seen.text.includes(id),
      )
      const isRight =
        wanted === 'nothing of theirs'
          ? seen.status < 300 && leaked.length === 0
          : seen.status === wanted.status && seen.code === wanted.code
      if (!isRight)
        wrong.push(`${name}: ${operation.id} gave ${seen.status} ${seen.code} ${leaked.join()}`)
    }
    return wrong
  }

  const fillsIn = (operation: Operation) => idsOf(operation).length > 0
  const unauthenticated = { status: 401, code: 'unauthenticated' }
  const forbidden = { status: 403, code: 'forbidden' }
  const notFound = { status: 404, code: 'not_found' }

  test('is public only where somebody decided so, and says so', () => {
    const open = operations.filter(({ security }) => security.length === 0).map(({ id }) => id)
    expect(open.toSorted()).toEqual(PUBLIC.toSorted())
  })

  describe('asks who calls', () => {
    test.each([
      ['nobody', undefined],
      ['a forged token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9.'],
      ['a made up key', `svc_live_${'a'.repeat(50)}`],
    ])('and answers 401 to %s', async (name, token) => {
      expect(await judge(name, () => unauthenticated, token, ids)).toEqual([])
    })
  })

  test("is not the operator's for anybody else's token", async () => {
    const isOperators = ({ id }: Operation) => id.includes('/operator/')
    for (const token of [own.token, strangerKey, ownVisitor]) {
      expect(
        await judge(
          'no operator',
          (one) => (isOperators(one) ? unauthenticated : undefined),
          token,
          ids,
        ),
      ).toEqual([])
    }
  })

  test("hides another workspace's things from its people", async () => {
    expect(await judge('a stranger', strangers, stranger.token, ids)).toEqual([])
  })

  test("hides another workspace's things from its keys", async () => {
    expect(
      await judge(
        "a stranger's key",
        (one) => (IN_PERSON.test(one.id) ? forbidden : strangers(one)),
        strangerKey,
        ids,
      ),
    ).toEqual([])
  })

  test("refuses another workspace's things also within what is sent with one's own", async () => {
    const theirs = await fillWorkspace(product, stranger, await addVisitor(product, stranger))
    const within = operations.filter((one) => nestedIdsOf(one).length > 0)
    expect(within.map(({ id }) => id)).toContain('post /api/v1/webhooks/rules-engine/rules')
    for (const operation of within) {
      const { path, body } = fill(operation, theirs, ids)
      const method = operation.method.toUpperCase()
      const answer = await product.call<Problem>(path, {
        method,
        token: stranger.token,
        body,
      })
      expect([operation.id, answer.status, answer.body.code]).toEqual([
        operation.id,
        403,
        'forbidden',
      ])
    }
  })

  test('answers 404 for what nobody has', async () => {
    const unknown = Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [
        name,
        UNKNOWN[name] ?? `${id.slice(0, id.indexOf('_') + 1)}${NEVER}`,
      ]),
    )
    expect(
      await judge(
        'an owner',
        (one) => {
          const isOther = TAKES_A_NAME.has(one.id) || one.security.includes('operator')
          return isOther || !fillsIn(one) ? undefined : notFound
        },
        own.token,
        unknown,
      ),
    ).toEqual([])
  })

  test('tells nothing to a key whose plan has none', async () => {
    expect(
      await judge(
        'a Starter key',
        (one) => (one.security.includes('operator') ? undefined : notInPlan),
        starterKey,
        ids,
      ),
    ).toEqual([])
  })

  test("keeps another site's visitor out", async () => {
    const visitor = await addVisitor(product, stranger)
    expect(await judge('a visitor', visitors, visitor, ids)).toEqual([])
  })

  test('hides a session from every other visitor of the same site', async () => {
    const other = await addVisitor(product, own)
    expect(
      await judge(
        'a neighbour',
        (one) =>
          one.security.includes('visitor') && idsOf(one).includes('session_id')
            ? notFound
            : undefined,
        other,
        ids,
      ),
    ).toEqual([])
  })

  const notInPlan = { status: 403, code: 'not_in_plan' }

  function strangers(operation: Operation): Seen | 'nothing of theirs' | undefined {
    if (OF_VISITORS.has(operation.id)) return { status: 403, code: 'forbidden' }
    if (operation.security.includes('operator') || OF_ONESELF.test(operation.id)) return undefined
    return fillsIn(operation) ? refusalOf(operation) : 'nothing of theirs'
  }

  function visitors(operation: Operation): Seen | 'nothing of theirs' | undefined {
    if (operation.security.includes('operator')) return undefined
    if (!operation.security.includes('visitor')) return forbidden
    if (!fillsIn(operation)) return 'nothing of theirs'
    return idsOf(operation).includes('tenant_id') ? forbidden : notFound
  }
})
