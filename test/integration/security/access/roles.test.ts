import { beforeAll, expect, test } from 'vitest'
import type { CreatedApiKey, Problem } from '../../../helpers/answers.ts'
import { describeOnPostgres } from '../../../helpers/databases.ts'
import { addMember } from '../../../helpers/members.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { ALWAYS_OPEN, fillWorkspace } from './filled-workspace.ts'
import { type Operation, fill, operationsOf } from './operations.ts'

const NEVER = 'A'.repeat(22)
/** An unused name, for names that are unique per workspace. */
const UNKNOWN: Record<string, string> = {
  tenant_id: 'no-such-tenant',
  prompt_id: 'no-such-prompt',
  key: 'no-such-fact',
}

/**
 * Which scope a key needs: the first pattern that fits decides. `any` scope will do, `none` is enough,
 * or `nobody` may do it with a key.
 */
const SCOPES: readonly (readonly [RegExp, string])[] = [
  [/^\w+ \/api\/v1\/(api-keys|members|account|push|chatbot\/identify)/, 'nobody'],
  [/identity-secret|workspace\/(export|close|reopen|mail|model|embedding)/, 'nobody'],
  [/^put \/api\/v1\/presence/, 'nobody'],
  [/^\w+ \/api\/v1\/audit/, 'none'],
  [/^\w+ \/api\/v1\/auth\/me|^get \/api\/v1\/workspace/, 'any'],
  [/^patch \/api\/v1\/workspace/, 'prompts:manage'],
  [/^\w+ \/api\/v1\/(prompts\/execute|runs)/, 'prompts:execute'],
  [/^get \/api\/v1\/prompts/, 'prompts:manage or prompts:execute'],
  [/^\w+ \/api\/v1\/(prompts|memory)/, 'prompts:manage'],
  [/^\w+ \/api\/v1\/credits/, 'credits:read'],
  [/^\w+ \/api\/v1\/webhooks/, 'webhooks:manage'],
  [/^\w+ \/api\/v1\/analytics/, 'analytics:read'],
  [/^delete \/api\/v1\/chatbot\/sessions/, 'chat:manage'],
  [/^\w+ \/api\/v1\/(chatbot|attachments)/, 'chat:message'],
  [
    /^\w+ \/api\/v1\/(tenants|logos|live|leads|inbox|presence|overview|find|canned-replies|appointments|visitors|integrations|social)/,
    'chat:manage',
  ],
]
const ALL = [...new Set(SCOPES.flatMap(([, scope]) => scope.split(' or ')))].filter((scope) =>
  scope.includes(':'),
)

/**
 * Operators: inbox, leads, appointments, knowledge, and what webhooks sent or could not; no keys,
 * members or billing, and no webhook of their own.
 */
const FOR_OPERATORS =
  /^\w+ \/api\/v1\/(auth\/me|account|presence|push|attachments|inbox|overview|find|live|leads|appointments|canned-replies|chatbot\/(sessions|message)|analytics|credits$|runs|memory|prompts\/execute|tenants\/\{tenant_id\}\/(knowledge|search|unanswered|feedback|suggested-questions|ask|questions))|^get \/api\/v1\/(tenants|prompts|workspace)|^\w+ \/api\/v1\/webhooks\/.*(deliveries|dead-letters|recover)/
const NOT_FOR_OPERATORS =
  /identity-secret|workspace\/(export|mail)|^delete \/api\/v1\/chatbot\/sessions/

describeOnPostgres('every route, as the contract shares them out,', (database) => {
  let own: TestWorkspace
  let operations: Operation[]
  /** Ids that nobody has: who may call hears 404 and changes nothing. */
  let unknown: Record<string, string>

  const product = useProduct(database, {
    settings: { ALLOW_PRIVATE_TARGETS: 'true' },
  })
  beforeAll(async () => {
    own = await addWorkspace(product, { tenant: ALWAYS_OPEN, plan: 'enterprise' })
    const ids = await fillWorkspace(product, own, await addVisitor(product, own))
    unknown = Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [
        name,
        UNKNOWN[name] ?? `${id.slice(0, id.indexOf('_') + 1)}${NEVER}`,
      ]),
    )
    const described = operationsOf((await product.call('/api/v1/openapi.json')).body)
    operations = described.filter(
      ({ security, path }) =>
        security.length > 0 &&
        !security.includes('operator') &&
        !/auth\/(logout|password)$/.test(path),
    )
  })

  async function refusals(token: string): Promise<Map<string, string | undefined>> {
    const seen = new Map<string, string | undefined>()
    for (const operation of operations) {
      const { path, body } = fill(operation, unknown)
      const answer = await product.call<Partial<Problem>>(path, {
        method: operation.method.toUpperCase(),
        token,
        ...(body === undefined ? {} : { body }),
      })
      expect(answer.status, `${operation.id}: ${answer.text}`).toBeLessThan(500)
      seen.set(operation.id, answer.status === 403 ? answer.body.code : undefined)
    }
    return seen
  }

  async function keyWith(scopes: readonly string[]): Promise<string> {
    const body = { name: 'A program', scopes }
    const made = await product.call<CreatedApiKey>('/api/v1/api-keys', { token: own.token, body })
    expect(made.status, made.text).toBe(201)
    return made.body.key
  }

  function scopeOf({ id }: Operation): string {
    const [, scope] = SCOPES.find(([pattern]) => pattern.test(id)) ?? []
    if (!scope) throw new Error(`${id}: say in SCOPES which scope it needs.`)
    return scope
  }

  test('is open to an operator for talking with visitors, and for nothing that is managed', async () => {
    const { token } = await addMember(product, own)
    const seen = await refusals(token)
    const wrong = operations.filter(({ id }) => {
      const isTheirs = FOR_OPERATORS.test(id) && !NOT_FOR_OPERATORS.test(id)
      return seen.get(id) !== (isTheirs ? undefined : 'forbidden')
    })
    expect(wrong.map(({ id }) => `${id} ${seen.get(id)}`)).toEqual([])
  })

  test('is open to an admin as to the owner', async () => {
    const { token } = await addMember(product, own, { role: 'admin' })
    const seen = await refusals(token)
    expect([...seen].filter(([, code]) => code !== undefined)).toEqual([
      // For the owner alone.
      ['get /api/v1/workspace/export', 'forbidden'],
      ['post /api/v1/workspace/export', 'forbidden'],
      ['post /api/v1/workspace/close', 'forbidden'],
      ['post /api/v1/workspace/reopen', 'forbidden'],
      // For visitors alone.
      ['post /api/v1/chatbot/identify', 'forbidden'],
    ])
  })

  test.each(ALL)(
    'is open to a key with the scope %s where that is the one it needs',
    async (scope) => {
      const [only, but] = [
        await refusals(await keyWith([scope])),
        await refusals(await keyWith(ALL.filter((other) => other !== scope))),
      ]
      const wrong = operations.filter((operation) => {
        const needed = scopeOf(operation)
        const codeFor = (isOpen: boolean) =>
          needed === 'nobody' ? 'forbidden' : isOpen ? undefined : 'scope_missing'
        const isFree = needed === 'any'
        const enough = needed.split(' or ')
        const isLeft = needed !== 'none' && enough.some((other) => other !== scope)
        return (
          only.get(operation.id) !== codeFor(isFree || enough.includes(scope)) ||
          but.get(operation.id) !== codeFor(isFree || isLeft)
        )
      })
      expect(wrong.map(({ id }) => `${id} ${only.get(id)} ${but.get(id)}`)).toEqual([])
    },
  )
})
