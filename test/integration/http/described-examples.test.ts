import { beforeAll, expect, test } from 'vitest'
import { API_EXAMPLES } from '../../../server/api-examples.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { OPERATOR_TOKEN, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

interface Description {
  paths: Record<string, Record<string, { operationId: string; requestBody?: Body }>>
}
interface Body {
  content: Record<string, { example?: object }>
}
interface Call {
  method: string
  path: string
  body: object
}

const OWNER = /^(?:postAuthToken|postAuthPasswordReset)$/
const VISITOR = /^post(?:ChatbotSessions|ChatbotIdentify|ChatbotMessage)/

describeOnDatabase('each example of the API description', (database) => {
  const calls = new Map<string, Call>()
  /** Ids that stand in the paths, from the answers to earlier examples. */
  const ids = new Map([['key', 'holidays']])
  const tokens = { owner: '', visitor: '' }
  let email = ''

  const product = useProduct(database, { settings: { ALLOW_PRIVATE_TARGETS: 'false' } })
  beforeAll(async () => {
    const own = await addWorkspace(product, { plan: 'enterprise', credits: 1_000 })
    email = own.email
    tokens.owner = own.token
    tokens.visitor = await addVisitor(product, own)
    ids.set('tenant_id', own.tenantId)
    const { body } = await product.call<Description>('/api/v1/openapi.json')
    for (const [path, methods] of Object.entries(body.paths)) {
      for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
        const example = requestBody?.content['application/json']?.example
        if (example) calls.set(operationId, { method: method.toUpperCase(), path, body: example })
      }
    }
  })

  test('is shown at its operation', () => {
    expect([...calls.keys()].toSorted()).toEqual(Object.keys(API_EXAMPLES).toSorted())
  })

  test.each(Object.keys(API_EXAMPLES))('is accepted: %s', async (operationId) => {
    const { method, path, body } = calls.get(operationId) ?? { method: '', path: '', body: {} }
    const resource = path.match(/\/(\w[\w-]*)\/\{(?:id|[a-z_]+)\}(?:\/[\w-]+)?$/)?.[1] ?? ''
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      return ids.get(name === 'id' ? resource : name) ?? `{${name}}`
    })
    const text = JSON.stringify(body)
      .replaceAll('"acme"', JSON.stringify(ids.get('tenant_id')))
      .replaceAll(OWNER.test(operationId) ? 'owner@example.com' : '\n', email)
      .replaceAll(OWNER.test(operationId) ? 'correct-horse-battery' : '\n', 'a long password')
    const isOperator = path.includes('/operator/')
    const own = VISITOR.test(operationId) ? tokens.visitor : tokens.owner
    const answer = await product.call<Record<string, unknown>>(url, {
      method,
      token: isOperator ? OPERATOR_TOKEN : own,
      raw: text,
    })
    expect([200, 201, 202, 204], answer.text).toContain(answer.status)
    for (const [name, value] of Object.entries(answer.body ?? {})) {
      if (typeof value !== 'string' || name === 'tenant_id') continue
      if (name === 'id' || name === 'rule_id') ids.set(path.split('/').at(-1) ?? '', value)
      if (name.endsWith('_id')) ids.set(name, value)
    }
    if (operationId === 'postChatbotSessionsBySessionIdLead') {
      const leads = await product.call<{ data: { lead_id: string }[] }>('/api/v1/leads', {
        token: tokens.owner,
      })
      ids.set('lead_id', leads.body.data[0]?.lead_id ?? '')
    }
  })
})
