import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { STATUS_OF } from '../../../server/http/errors.ts'
import type { CreatedApiKey, Problem } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type CallOptions, OPERATOR_TOKEN, addWorkspace } from '../../helpers/product.ts'
import { inlineReferences } from '../../helpers/openapi.ts'
import { useProduct } from '../../helpers/use-product.ts'

const Operation = z.looseObject({
  operationId: z.string(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
  requestBody: z.looseObject({ required: z.boolean().default(false) }).optional(),
})
const Description = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
})
type Described = z.infer<typeof Operation> & { method: string; path: string }

describeOnDatabase('the description of the API', (database) => {
  let operations: Described[]
  let calls: Record<string, CallOptions>

  const product = useProduct(database)
  beforeAll(async () => {
    const { token } = await addWorkspace(product, { plan: 'enterprise' })
    const starter = await addWorkspace(product, { plan: 'starter' })
    const made = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token,
      body: { name: 'k', scopes: ['analytics:read'] },
    })
    const { paths } = Description.parse(
      inlineReferences((await product.call('/api/v1/openapi.json')).body),
    )
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
    )
    calls = {
      'no token': {},
      'a wrong token': { token: 'x' },
      'a key': { token: made.body.key },
      'a token': { token },
      'the least plan': { token: starter.token },
      'the operator': { token: OPERATOR_TOKEN },
      'an empty object': { token, raw: '{}' },
      'an empty object of the operator': { token: OPERATOR_TOKEN, raw: '{}' },
      'an unknown field': { token, raw: '{"nonsense":1}' },
      'half of a body': { token, raw: '{' },
      'another type': { token, raw: '<a/>', headers: { 'content-type': 'application/xml' } },
    }
  })

  test('says of every route each status that its refusals have, with the code', async () => {
    const unsaid: string[] = []
    // Refusals do not depend on the database: a sample is enough on the second one.
    const asked = operations.filter((_, index) => database.kind === 'sqlite' || index % 10 === 0)
    for (const { method, path, responses, requestBody } of asked) {
      // Signing out would end the token that the others need.
      if (path.endsWith('/logout')) continue
      for (const [name, call] of Object.entries(calls)) {
        if (call.raw !== undefined && !requestBody) continue
        const url = path.replaceAll(/\{\w+\}/g, 'unknown')
        const answer = await product.call<Problem>(url, { ...call, method: method.toUpperCase() })
        const said = responses[answer.status]?.description ?? ''
        const { code } = answer.body ?? {}
        if (said === '' || (answer.status >= 400 && !said.includes(`\`${code}\``))) {
          unsaid.push(`${method} ${path} with ${name}: ${answer.status} ${code}`)
        }
      }
    }
    expect(unsaid).toEqual([])
  })

  test('names no code that there is not, and none under another status', () => {
    const known = new Map(Object.entries(STATUS_OF).map(([code, status]) => [code, `${status}`]))
    const wrong = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status]) => status.startsWith('4') || status.startsWith('5'))
        .flatMap(([status, { description }]) =>
          [...description.matchAll(/`(\w+)`/g)]
            .filter(([, code = '']) => known.get(code) !== status)
            .map(([, code]) => `${operationId}: ${code} under ${status}`),
        ),
    )
    expect(wrong).toEqual([])
  })

  test('gives every call a name of its own, as generated clients want it', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z][A-Za-z0-9]+$/.test(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['postPromptsExecute', 'getAuthMe']))
  })

  test('knows which calls may come without a body, also below an id', () => {
    const required = new Map(
      operations.map(({ operationId, requestBody }) => [operationId, requestBody?.required]),
    )
    const { postWebhooksByIdRotateSecret, postWebhooks } = Object.fromEntries(required)
    expect([postWebhooksByIdRotateSecret, postWebhooks]).toEqual([false, true])
  })
})
