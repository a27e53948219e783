import { beforeAll, expect, test } from 'vitest'
import type { Prompt } from '../../../server/prompts/schema.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { execute, usePromptProduct } from './setup.ts'

interface Shown {
  prompt_id: string
  source: string
  inputs_schema: {
    properties: Record<string, { type: string; title: string; maxLength?: number }>
    required: string[]
  }
}

const LONG_TEXT =
  'Our return policy is simple. A return policy needs a receipt. The coffee grinder has a warranty.'
const REWRITING = new Set(['translate', 'polite-rewrite'])
/** A colon that nothing follows, a word for which nothing came, two spaces, a cut end. */
const GAP = /:\s*([.,;]|$)|\s[.,;]|\S {2,}\S|^\s|\s$/

/** One value for each input, and nothing for those that may be left out. */
function requiredOf({ inputs_schema: { properties, required } }: Shown): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => [name, properties[name]?.type === 'integer' ? 7 : LONG_TEXT]),
  )
}

describeOnDatabase('the library', (database) => {
  let workspace: TestWorkspace
  let inHouse: TestWorkspace

  const product = usePromptProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product, { plan: 'enterprise' })
    inHouse = await addWorkspace(product, { plan: 'enterprise' })
    await product.call('/api/v1/workspace', {
      method: 'PATCH',
      token: inHouse.token,
      body: { model: { provider: 'embedded' } },
    })
  })

  const shown = async (locale: string): Promise<Shown[]> => {
    const { body } = await product.call<{ data: Shown[] }>(
      `/api/v1/prompts?limit=100&locale=${locale}`,
      { token: workspace.token },
    )
    return body.data.filter(({ source }) => source === 'library')
  }

  test.each(['tr', 'en'])(
    'leaves no gap where an input or a fact is missing: %s',
    async (locale) => {
      product.model.act = { text: ['Done'] }
      for (const prompt of await shown(locale)) {
        const { prompt_id } = prompt
        const asked = { prompt_id, locale, inputs: requiredOf(prompt) }
        expect((await execute(product, workspace, asked)).status, prompt_id).toBe(200)
        const told = JSON.parse(JSON.stringify(product.model.calls.at(-1)?.body))
        const texts: string[] = told.messages?.map(
          ({ content }: { content: string }) => content,
        ) ?? [told.prompt]
        for (const text of texts) expect(text, prompt_id).not.toMatch(GAP)

        const alone = await execute(product, inHouse, asked)
        const isForm = prompt_id === 'campaign-brief'
        expect(isForm ? '' : (alone.body.content ?? ''), prompt_id).not.toMatch(GAP)
      }
    },
  )

  test('says what the embedded model cannot run, and refuses that at no cost', async () => {
    const { token } = inHouse
    const { body } = await product.call<{ data: Prompt[] }>('/api/v1/prompts?limit=100', { token })
    const missing = (kind: string) =>
      new Set(
        body.data.flatMap((one) => (one.kind === kind ? [one.unavailable_reason ?? 'none'] : [])),
      )
    expect(missing('bot')).toEqual(new Set(['model_required']))
    expect(missing('image')).toEqual(new Set(['image_model_required']))
    expect(missing('fixed')).toEqual(new Set(['none', 'model_required']))
    for (const { prompt_id, available, unavailable_reason } of body.data) {
      expect(available, prompt_id).toBe(unavailable_reason === undefined)
      const read = await product.call<Prompt>(`/api/v1/prompts/${prompt_id}`, { token })
      expect(read.body.available, prompt_id).toBe(available)
    }
    for (const prompt of (await shown('tr')).filter(({ prompt_id }) =>
      body.data.some((one) => one.prompt_id === prompt_id && !one.available),
    )) {
      const asked = { prompt_id: prompt.prompt_id, inputs: requiredOf(prompt) }
      const { status, body: refusal } = await execute(product, inHouse, asked)
      expect([prompt.prompt_id, status, refusal.code]).toEqual([
        prompt.prompt_id,
        409,
        'model_required',
      ])
    }
    const all = await product.call<{ data: Prompt[] }>('/api/v1/prompts?limit=100', {
      token: workspace.token,
    })
    expect(all.body.data.every(({ available }) => available)).toBe(true)
  })

  test('what may be left out is told when it is there', async () => {
    product.model.act = { text: ['Done'] }
    await product.call('/api/v1/memory/hours', {
      method: 'PUT',
      token: workspace.token,
      body: { value: 'nine to five' },
    })
    const inputs = { question: 'When?' }
    await execute(product, workspace, { prompt_id: 'clinic-assistant', locale: 'en', inputs })
    const told = JSON.stringify(product.model.calls.at(-1)?.body)
    expect(told).toContain('Hours: nine to five')
    expect(told).not.toContain('Services:')
  })

  test('hashtags have their sign and no spaces, by the embedded model too', async () => {
    const { body } = await execute(product, inHouse, {
      prompt_id: 'hashtags',
      locale: 'en',
      inputs: { text: LONG_TEXT, count: 3 },
    })
    const tags = body.content.split('\n')
    expect(tags).toHaveLength(3)
    expect(tags[0]).toBe('#returnpolicy')
    for (const tag of tags) expect(tag).toMatch(/^#[\p{L}\p{N}_]+$/u)
  })

  test('notes in a list stay apart in a summary', async () => {
    const items = [
      'The new site goes live on the first of June',
      'Ada sends the price list for the site by Friday',
      'The budget of the site is 40,000',
    ]
    const asked = { text: items.map((item) => `- ${item}`).join('\n'), sentences: 3 }
    const { body } = await execute(product, inHouse, {
      prompt_id: 'meeting-notes',
      locale: 'en',
      inputs: asked,
    })
    expect(body.content).toBe(items.join('\n'))
  })

  test('a patient may have been away for longer than ten months', async () => {
    const inputs = { name: 'Ada', months: 18, clinic: 'North' }
    const asked = { prompt_id: 'check-up-invitation', locale: 'en', inputs }
    expect((await execute(product, inHouse, asked)).status).toBe(200)
  })

  test('a rewritten text is not cut: its answer may be as long', async () => {
    product.model.act = { text: ['Done'] }
    const rewriting = (await shown('tr')).filter(({ prompt_id: id }) => REWRITING.has(id))
    for (const prompt of rewriting) {
      const inputs = { ...requiredOf(prompt), text: 'ğ'.repeat(8_000) }
      const asked = { prompt_id: prompt.prompt_id, inputs }
      expect((await execute(product, workspace, asked)).status).toBe(200)
      expect(product.model.calls.at(-1)?.body.max_tokens).toBe(4_096)
      expect(prompt.inputs_schema.properties.text?.maxLength).toBe(8_000)
    }
  })
})
