import { beforeAll, expect, test } from 'vitest'
import type { Prompt, PromptVersion } from '../../../server/prompts/schema.ts'
import type { Fact, Page, Problem } from '../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import {
  addPrompt,
  execute,
  openPromptWorkspace,
  startPromptProduct,
  usePromptProduct,
} from './setup.ts'

const PROMPT = {
  prompt_id: 'offer',
  title: 'Offer',
  kind: 'fixed',
  credits_cost: 2,
  template: 'Write an offer for {{product}}.',
  inputs_schema: { type: 'object', properties: { product: { type: 'string' } } },
}

function isPriced(kind: string, cost: number | null): boolean {
  if (kind === 'bot' || cost === null) return kind === 'bot' && cost === null
  const [min, max] = kind === 'image' ? [10, 50] : [1, 8]
  return cost >= min && cost <= max
}

describeOnBothDatabases('prompts and memory', (database) => {
  let workspace: TestWorkspace

  const product = usePromptProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })

  const make = (body: unknown, { token } = workspace) =>
    product.call<Prompt & Problem>('/api/v1/prompts', { token, body })

  test('a prompt is made, changed as a new version, and removed', async () => {
    const mine = await openPromptWorkspace(product)
    const { prompt_id: _, ...definition } = PROMPT
    expect((await make(PROMPT, mine)).body).toMatchObject({ version: 1, source: 'workspace' })
    const path = '/api/v1/prompts/offer'
    const changed = await product.call<Prompt & Problem>(path, {
      method: 'PUT',
      token: mine.token,
      body: { ...definition, template: 'Sell {{product}}.' },
    })
    expect(changed.body.version).toBe(2)
    const versions = await product.call<Page<PromptVersion>>(`${path}/versions?limit=1`, {
      token: mine.token,
    })
    expect(versions.body.data).toMatchObject([
      { version: 2, definition: { template: 'Sell {{product}}.' } },
    ])
    const older = `${path}/versions?cursor=${versions.body.next_cursor}`
    expect(
      (await product.call<Page<PromptVersion>>(older, { token: mine.token })).body,
    ).toMatchObject({
      data: [{ version: 1, definition: { template: PROMPT.template } }],
      next_cursor: null,
    })
    expect((await product.call(`${path}/versions`, { token: workspace.token })).status).toBe(404)
    product.model.act = { text: ['Sold'] }
    const run = await execute(product, mine, { prompt_id: 'offer', inputs: { product: 'tea' } })
    expect(run.body.prompt_version).toBe(2)
    expect(JSON.stringify(product.model.calls.at(-1)?.body)).toContain('Sell tea.')
    const removed = await product.call(path, { method: 'DELETE', token: mine.token })
    expect(removed.status).toBe(204)
    expect((await product.call(path, { token: mine.token })).status).toBe(404)
    expect((await make(PROMPT, mine)).body.version).toBe(3)
  })

  test('a name is taken once, never from the library, and never from the routes', async () => {
    const mine = await addWorkspace(product)
    expect((await make(PROMPT, mine)).status).toBe(201)
    expect((await make(PROMPT, mine)).status).toBe(409)
    expect((await make({ ...PROMPT, prompt_id: 'summary' }, mine)).status).toBe(409)
    expect((await make({ ...PROMPT, prompt_id: 'execute' }, mine)).status).toBe(422)
  })

  test('every one is on one page, whatever language the database sorts in', async () => {
    const apart = await startPromptProduct(await database.createEmpty('en-US-u-ka-shifted'))
    try {
      const { token } = await addWorkspace(apart)
      const names = ['zz-a', 'zza', 'zz-b', 'zzb', 'aa-a', 'aaa', 'appointmentreminder']
      for (const prompt_id of names) await addPrompt(apart, { token }, { prompt_id })
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const path: string = `/api/v1/prompts?limit=3${cursor && `&cursor=${cursor}`}`
        const { body }: { body: { data: (Prompt & Problem)[]; next_cursor: string | null } } =
          await apart.call(path, { token })
        seen.push(...body.data.map(({ prompt_id }) => prompt_id))
        cursor = body.next_cursor
      }
      expect(seen).toEqual([...new Set(seen)].toSorted())
      expect(seen).toEqual(expect.arrayContaining(names))
    } finally {
      await apart.stop()
    }
  })

  test('a price fits its kind', async () => {
    const wrong = [
      { ...PROMPT, credits_cost: 0 },
      { ...PROMPT, credits_cost: 9 },
      { ...PROMPT, credits_cost: 1.5 },
      { ...PROMPT, credits_cost: undefined },
      { ...PROMPT, kind: 'image', credits_cost: 9 },
      { ...PROMPT, kind: 'image', credits_cost: 51 },
      { ...PROMPT, kind: 'bot', credits_cost: 2 },
    ]
    for (const body of wrong) {
      const answer = await make(body)
      expect([answer.status, answer.body.errors?.[0]?.path], JSON.stringify(body)).toEqual([
        422,
        '/credits_cost',
      ])
    }
  })

  test('a schema must be one, and may not ask for what takes for ever', async () => {
    const wrong = [
      { type: 'string' },
      { type: 'object', properties: { a: { type: 'nonsense' } } },
      { type: 'object', properties: { product: { $ref: 'https://example.com/schema' } } },
      { type: 'object', properties: { product: { $ref: '#' } } },
      {
        type: 'object',
        properties: { product: { $ref: '#/$defs/a' } },
        $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: {} },
      },
      { type: 'object', properties: { product: { type: 'array', uniqueItems: true } } },
      { type: 'object', $async: true },
      { type: 'object', allOf: Array.from({ length: 400 }, () => ({ type: 'object' })) },
    ]
    for (const inputs_schema of wrong) {
      const answer = await make({ ...PROMPT, prompt_id: 'wrong-schema', inputs_schema })
      expect(answer.status, JSON.stringify(inputs_schema)).toBe(422)
      expect(answer.body.errors?.[0]?.path).toBe('/inputs_schema')
    }
    const unnamed = await make({ ...PROMPT, prompt_id: 'unnamed', template: 'Sell {{thing}}' })
    expect(unnamed.body.errors?.[0]?.path).toBe('/template')
  })

  test('a pattern that would take exponential time is checked at once', async () => {
    const mine = await addWorkspace(product)
    await addPrompt(product, mine, {
      prompt_id: 'pattern',
      inputs_schema: { type: 'object', properties: { name: { pattern: '^(a+)+$' } } },
    })
    const inputs = { name: `${'a'.repeat(5_000)}!` }
    expect((await execute(product, mine, { prompt_id: 'pattern', inputs })).status).toBe(422)
  })

  test('an input may have any name, and is only there when it was sent', async () => {
    const mine = await openPromptWorkspace(product)
    const text = { type: 'string' }
    await addPrompt(product, mine, {
      prompt_id: 'odd-names',
      template: '{{constructor}}{{valueOf}}',
      inputs_schema: {
        type: 'object',
        properties: { constructor: text, valueOf: text },
        required: ['valueOf'],
      },
    })
    const without = await execute(product, mine, { prompt_id: 'odd-names', inputs: {} })
    expect(without.body.errors).toMatchObject([{ path: '/inputs/valueOf' }])
    const inputs = { valueOf: 'worth' }
    expect((await execute(product, mine, { prompt_id: 'odd-names', inputs })).status).toBe(200)
  })

  test('inputs and facts go into a template as text, and are never looked at again', async () => {
    const mine = await addWorkspace(product)
    const fact = await product.call('/api/v1/memory/hours', {
      method: 'PUT',
      token: mine.token,
      body: { value: 'nine to five' },
    })
    expect(fact.body).toMatchObject({ key: 'hours', value: 'nine to five' })
    await addPrompt(product, mine, {
      template: '{{name}} asks. We are open {{memory.hours}}.',
      instructions: 'Hours: {{ memory.hours }}',
    })
    product.model.act = { text: ['Yes'] }
    const inputs = { name: '{{memory.hours}} ${7*7}' }
    await execute(product, mine, { prompt_id: 'greeting', inputs })
    const sent = JSON.stringify(product.model.calls.at(-1)?.body)
    expect(sent).toContain('{{memory.hours}} ${7*7} asks. We are open nine to five.')
    expect(sent).toContain('Hours: nine to five')
  })

  test('facts are listed by key, read, and forgotten; Starter has none', async () => {
    const mine = await addWorkspace(product)
    const { token } = mine
    for (const key of ['b', 'a', 'c']) {
      await product.call(`/api/v1/memory/${key}`, { method: 'PUT', token, body: { value: key } })
    }
    const first = await product.call<Page<Fact>>('/api/v1/memory?limit=2', { token })
    expect(first.body.data.map(({ key }) => key)).toEqual(['a', 'b'])
    const second = await product.call<Page<Fact>>(
      `/api/v1/memory?limit=2&cursor=${first.body.next_cursor}`,
      { token },
    )
    expect(second.body).toMatchObject({ data: [{ key: 'c' }], next_cursor: null })
    const gone = await product.call('/api/v1/memory/a', { method: 'DELETE', token })
    expect(gone.status).toBe(204)
    expect((await product.call('/api/v1/memory/a', { token })).status).toBe(404)
    const wrong = await product.call('/api/v1/memory/A%20b', {
      method: 'PUT',
      token,
      body: { value: 'x' },
    })
    expect(wrong.status).toBe(422)

    const starter = await addWorkspace(product, { plan: 'starter' })
    const refused = await product.call<Problem>('/api/v1/memory', {
      token: starter.token,
    })
    expect([refused.status, refused.body.code]).toEqual([403, 'not_in_plan'])
  })

  test('the library is there for all, in both languages, with prices in the ranges', async () => {
    const { token } = workspace
    for (const locale of ['tr', 'en']) {
      const { body } = await product.call<Page<Prompt & Problem>>(
        `/api/v1/prompts?limit=100&locale=${locale}`,
        { token },
      )
      const library = body.data.filter(({ source }) => source === 'library')
      expect(library.length).toBeGreaterThanOrEqual(24)
      expect(new Set(library.map(({ kind }) => kind))).toEqual(new Set(['fixed', 'bot', 'image']))
      for (const { kind, locales, credits_cost: cost } of library) {
        expect(locales).toEqual(['tr', 'en'])
        expect(isPriced(kind, cost), `${kind} for ${cost}`).toBe(true)
      }
    }
    const refused = await product.call('/api/v1/prompts/summary', { method: 'DELETE', token })
    expect(refused.status).toBe(403)
  })
})
