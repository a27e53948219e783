import { beforeAll, expect, test } from 'vitest'
import { PromptDefinition } from '../../../../server/prompts/schema.ts'
import { insertVersion } from '../../../../server/prompts/store.ts'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../../helpers/product.ts'
import { addPrompt, execute, usePromptProduct } from '../../prompts/setup.ts'

/** Every keyword of JSON Schema 2020-12 and those it has replaced, each with a valid value. */
const KEYWORDS: Record<string, unknown> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://example.com/schema',
  $ref: '#/$defs/text',
  $anchor: 'here',
  $dynamicRef: '#here',
  $dynamicAnchor: 'here',
  $vocabulary: {},
  $comment: 'text',
  $defs: { other: true },
  prefixItems: [true],
  items: true,
  contains: true,
  additionalProperties: true,
  properties: { name: true },
  patternProperties: { '^a': true },
  dependentSchemas: { name: true },
  propertyNames: true,
  if: true,
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: true,
  else: true,
  allOf: [true],
  anyOf: [true],
  oneOf: [true],
  not: false,
  unevaluatedItems: true,
  unevaluatedProperties: true,
  type: 'object',
  const: {},
  enum: [{}],
  multipleOf: 1,
  maximum: 1,
  exclusiveMaximum: 1,
  minimum: 1,
  exclusiveMinimum: 1,
  maxLength: 1,
  minLength: 1,
  pattern: 'a',
  maxItems: 1,
  minItems: 1,
  uniqueItems: false,
  maxContains: 1,
  minContains: 1,
  maxProperties: 1,
  minProperties: 0,
  required: [],
  dependentRequired: {},
  title: 'text',
  description: 'text',
  default: {},
  deprecated: false,
  readOnly: false,
  writeOnly: false,
  examples: [],
  format: 'date',
  contentEncoding: 'base64',
  contentMediaType: 'text/plain',
  contentSchema: true,
  definitions: {},
  dependencies: {},
  $recursiveRef: '#',
  $recursiveAnchor: true,
}
const REFUSED = new Set(
  (
    '$id $anchor $dynamicRef $dynamicAnchor $vocabulary contentSchema definitions dependencies ' +
    '$recursiveRef $recursiveAnchor'
  ).split(' '),
)
const PAIR = { allOf: [{ $recursiveRef: '#' }, { $recursiveRef: '#' }] }
const RECURSIVE = { type: 'object', properties: { a: PAIR } }

describeOnDatabase('a customer who wants to stop the process with a schema', (database) => {
  let workspace: TestWorkspace

  const product = usePromptProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product, { credits: 1_000 })
  })

  const make = (prompt_id: string, inputs_schema: object) =>
    product.call<Problem>('/api/v1/prompts', {
      token: workspace.token,
      body: {
        prompt_id,
        title: 'Schema',
        kind: 'fixed',
        credits_cost: 8,
        template: 'Hello',
        inputs_schema,
      },
    })

  test.each(Object.entries(KEYWORDS))('may use %s, or is refused', async (keyword, value) => {
    const schema = { type: 'object', $defs: { text: true }, [keyword]: value }
    const answer = await make(`key-${keyword.toLowerCase().replace('$', 'x-')}`, schema)
    expect(answer.status, answer.text).toBe(REFUSED.has(keyword) ? 422 : 201)
    if (!REFUSED.has(keyword)) return
    expect(answer.body.errors).toEqual([
      { path: '/inputs_schema', message: `may not use ${keyword}` },
    ])
  })

  test('may name an input like a keyword, and may not use an unknown keyword', async () => {
    const properties = { $recursiveRef: { type: 'string' }, $id: {} }
    expect((await make('named-so', { type: 'object', properties })).status).toBe(201)
    expect((await make('unknown', { type: 'object', 'x-unknown': true })).status).toBe(422)
  })

  test('does not run a schema that was stored before it was refused', async () => {
    expect((await make('recursive', RECURSIVE)).status).toBe(422)
    await addPrompt(product, workspace, { prompt_id: 'stored' })
    const definition = PromptDefinition.parse({
      title: 'Stored',
      kind: 'fixed',
      credits_cost: 8,
      template: 'Hello',
      inputs_schema: RECURSIVE,
    })
    await insertVersion(product.ctx.db, {
      workspace_id: workspace.id,
      prompt_id: 'stored',
      version: 2,
      definition: JSON.stringify(definition),
      created_at: 0,
    })
    await product.ctx.db
      .updateTable('prompts')
      .set({ version: 2 })
      .where('workspace_id', '=', workspace.id)
      .where('prompt_id', '=', 'stored')
      .execute()
    let inputs = {}
    for (let depth = 0; depth < 30; depth += 1) inputs = { a: inputs }
    const answer = await execute(product, workspace, { prompt_id: 'stored', inputs })
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, '/prompt_id'])
  })

  test('gets 422 at once for what a schema and its inputs cost together', async () => {
    const text = 'a'.repeat(200_000)
    const list = Array.from({ length: 60_000 }, () => 1)
    const short = Array.from({ length: 140 }, () => ({ maxLength: 5 }))
    const references = Array.from({ length: 140 }, () => ({ $ref: '#/$defs/short' }))
    const bombs: [string, object, object][] = [
      ['references', { a: { allOf: references } }, { a: text }],
      ['choices', { a: { items: { enum: short.map((_, at) => at + 2) } } }, { a: list }],
      ['unique', { a: { uniqueItems: true, maxItems: 10 } }, { a: list }],
    ]
    for (const [name, properties, inputs] of bombs) {
      const $defs = { short: { allOf: short } }
      expect((await make(name, { type: 'object', properties, $defs })).status).toBe(201)
      const answer = await execute(product, workspace, { prompt_id: name, inputs })
      expect([answer.status, answer.body.errors?.[0]?.path], name).toEqual([422, '/inputs'])
    }
  })

  test('gets 422 at once for patterns that are too large for the text', async () => {
    const pattern = '^(?:a?){300}(?:a|b|c){300}$'
    const properties = { a: { allOf: [{ pattern }, { pattern: `${pattern}|d` }] } }
    expect((await make('patterns', { type: 'object', properties })).status).toBe(201)
    const inputs = { a: 'a'.repeat(200_000) }
    const answer = await execute(product, workspace, { prompt_id: 'patterns', inputs })
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, '/inputs'])
    const large = { properties: { a: { pattern: 'a{1000}'.repeat(100) } } }
    expect((await make('large-pattern', { type: 'object', ...large })).status).toBe(422)
    const email = { properties: { a: { format: 'email' } } }
    expect((await make('format', { type: 'object', ...email })).status).toBe(201)
    const long = await execute(product, workspace, { prompt_id: 'format', inputs })
    expect(long.body.errors?.[0]?.path).toBe('/inputs/a')
  })
})
