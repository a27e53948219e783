import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { embeddedModel } from '../../../server/models/embedded/embedded-model.ts'
import type { GenerateEnd, GenerateRequest, Task } from '../../../server/models/model.ts'

const DOCUMENTS = join(import.meta.dirname, '../../../server/demo/documents')
const RETURNS = readFileSync(join(DOCUMENTS, 'iade-ve-degisim.md'), 'utf8')
const SHIPPING = readFileSync(join(DOCUMENTS, 'shipping-and-delivery.md'), 'utf8')
const REQUEST: GenerateRequest = {
  messages: [{ role: 'user', content: 'Do it.' }],
  maxOutputTokens: 1_000,
  locale: 'tr',
}

async function perform(
  task: Task,
  more: Partial<GenerateRequest> = {},
): Promise<{ text: string; end: GenerateEnd | undefined }> {
  let text = ''
  let end: GenerateEnd | undefined
  const { signal } = new AbortController()
  for await (const piece of embeddedModel.generate({ ...REQUEST, ...more, task }, signal)) {
    if ('delta' in piece) text += piece.delta
    else if ('end' in piece) end = piece.end
  }
  return { text, end }
}

describe('the embedded model', () => {
  test.each([RETURNS, SHIPPING])('summarises with sentences of the text (%#)', async (text) => {
    const done = await perform({ name: 'summary', inputs: { text, sentences: 2 } })
    const plain = text.replaceAll(/\s+/g, ' ')
    const found = done.text.split(/(?<=\.)\s(?=\p{Lu})/u)
    expect(found).toHaveLength(2)
    for (const sentence of found) expect(plain).toContain(sentence)
  })

  test('finds what a text is about', async () => {
    const turkish = await perform({ name: 'keywords', inputs: { text: RETURNS, count: 5 } })
    expect(turkish.text.split('\n')).toHaveLength(5)
    expect(turkish.text).toMatch(/^iade$/m)
    const english = await perform({ name: 'keywords', inputs: { text: SHIPPING, count: 5 } })
    expect(english.text).toMatch(/delivery/)
    expect(english.text).not.toMatch(/^(?:the|and|for)$/m)
  })

  test('turns headings and questions into questions, each with its own answer', async () => {
    const { text } = await perform({ name: 'faq', inputs: { text: RETURNS, count: 4 } })
    expect(text.match(/^\*\*.+\?\*\*$/gm)).toHaveLength(4)
    expect(text).toContain('**İade nasıl yapılır?**\n\nHesabım sayfasında')
    expect(text).toContain('**“İade süresi” hakkında ne bilmeliyim?**\n\nÜrünü teslim aldığınız')
  })

  test('asks in the language of the text', async () => {
    const { text } = await perform({ name: 'faq', inputs: { text: SHIPPING } })
    expect(text).toContain('What should I know about “Shipping costs”?')
  })

  test('finds questions in plain paragraphs, too', async () => {
    const text = 'Dental implants replace lost teeth. Implants take two visits.\n\nWe open at nine.'
    const done = await perform({ name: 'faq', inputs: { text } }, { locale: 'en' })
    expect(done.text).toContain('implants')
    expect(done.text).toContain('Implants take two visits.')
  })

  test('gives a filled template as it is', async () => {
    const done = await perform({
      name: 'template',
      inputs: {},
      text: 'Sayın Ayşe,\n\nHoş geldiniz.',
    })
    expect(done.text).toBe('Sayın Ayşe,\n\nHoş geldiniz.')
    expect(done.end?.finishReason).toBe('stop')
  })

  test('never writes more than it may, and says so', async () => {
    const inputs = { text: SHIPPING, sentences: 10 }
    const { text, end } = await perform({ name: 'summary', inputs }, { maxOutputTokens: 20 })
    expect(text.length).toBeLessThanOrEqual(80)
    expect(end).toMatchObject({ finishReason: 'length', isEstimated: false })
    expect(end?.usage.outputTokens).toBeLessThanOrEqual(20)
  })

  test('says plainly what it cannot do, and what to set', async () => {
    const { signal } = new AbortController()
    const writing = embeddedModel.generate(REQUEST, signal)[Symbol.asyncIterator]()
    await expect(writing.next()).rejects.toMatchObject({
      kind: 'unable',
      isTransient: false,
      message: expect.stringContaining('MODEL_PROVIDER'),
    })
    const drawing = embeddedModel.generateImages({ prompt: 'A cat', count: 1 }, signal)
    await expect(drawing).rejects.toMatchObject({
      kind: 'unable',
      message: expect.stringContaining('IMAGE_MODEL_NAME'),
    })
    const nothing = perform({ name: 'summary', inputs: { text: '  ' } })
    await expect(nothing).rejects.toMatchObject({ kind: 'unable' })
  })
})
