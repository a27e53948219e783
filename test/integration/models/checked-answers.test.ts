import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { spelledNumbers } from '../../../server/chat/turn/checks/number-words.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { METRICS_TOKEN, type TestWorkspace, addDocument } from '../../helpers/product.ts'
import {
  type ModelCall,
  type ModelServer,
  startModelServer,
} from '../../helpers/servers/model-server.ts'
import type { ModelScript } from '../../helpers/servers/model-wire.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ask, eventsOf, openShop, readBy, settingsOf } from './answering-visitor.ts'

const QUESTION = 'How much is shipping to Izmir?'
const SHIPPING = `# Shipping

Shipping to Izmir costs 49,90 TL and takes 2 to 4 days. Above 1.500 TL it is free.

Questions: +90 212 555 01 02, info@shop.example, https://shop.example/shipping. Open 09:00–18:30.`
const TRIES = 200
const USAGE = { input: 300, output: 30 }

/** Hallucinations in many forms; each states something that no document does. */
const LIES: readonly ((seed: number) => string)[] = [
  (seed) => `Shipping costs ${50 + seed} TL.`,
  (seed) => `It takes ${5 + (seed % 90)} days.`,
  (seed) => `Kargo ${seed + 60},90 TL; ${seed + 3} günde gelir.`,
  (seed) => `Call 0850 ${300 + seed} 44 5${seed % 10}.`,
  (seed) => `Open until ${19 + (seed % 4)}:15.`,
  (seed) => `See https://shop.example/sale-${seed}.`,
  (seed) => `Write to sales${seed}@shop.example.`,
  (seed) => `It is ٤${seed % 10}٧ TL.`,
  (seed) => `It takes ${['five', 'seven', 'eleven', 'twenty-five'][seed % 4]} days.`,
  (seed) => `Es dauert ${['sechs', 'acht', 'zwölf'][seed % 3]} Tage.`,
  (seed) => `Teslimat ${['beş', 'on iki', 'yirmi beş'][seed % 3]} gün sürer.`,
  (seed) => `Table:\n\n| to | TL |\n| --- | --- |\n| Izmir | ${70 + seed} |`,
  (seed) => `It ends on ${10 + (seed % 18)}.11.20${30 + (seed % 60)}.`,
  (seed) => `It costs ４９ TL, or ${seed + 100}.`,
]
const TRUE = 'Shipping to Izmir costs 49,90 TL [1].'

/** A model that lies at once, behind something true, while it corrects itself, or in a tool's words. */
function liar(seed: number, { body }: ModelCall): ModelScript {
  const lie = LIES[seed % LIES.length]?.(seed) ?? ''
  const { results } = readBy(body)
  const isCorrection = JSON.stringify(body.messages).includes('not_found')
  const pieces = (text: string): ModelScript => ({
    text: text.match(/[\s\S]{1,5}/g) ?? [],
    usage: USAGE,
  })
  switch (seed % 5) {
    case 0:
      return pieces(lie)
    case 1:
      return pieces(isCorrection ? `${TRUE} ${lie}` : `${TRUE} ${lie} That is all.`)
    case 2:
      return pieces(isCorrection ? `Sorry! ${lie}` : lie)
    case 3:
      return pieces(`Let me see:\n- ${lie}\n- ${TRUE}`)
    default:
      return results.length === 0 && !isCorrection
        ? { calls: [{ id: 'c1', name: 'search', input: JSON.stringify({ query: lie }) }] }
        : pieces(`${lie} ${TRUE}`)
  }
}

describeOnDatabase('an answer of a model', (database) => {
  let server: ModelServer
  let shop: TestWorkspace

  beforeAll(async () => {
    server = await startModelServer()
  })
  afterAll(() => server.close())
  const product = useProduct(database, () => ({
    settings: { ...settingsOf(server), LOG_LEVEL: 'fatal' },
  }))
  beforeAll(async () => {
    shop = await openShop(product)
    await addDocument(product, shop, { title: 'Shipping', content: SHIPPING })
  })
  beforeEach(() => {
    server.calls.splice(0)
  })

  test(`states no number, address or link of its own in ${TRIES} tries`, async () => {
    let seed = 0
    const seedOf = (call: ModelCall) => Number(/Try-(\d+)/.exec(JSON.stringify(call.body))?.[1])
    server.act = (call) => liar(seedOf(call), call)
    const stated = `${SHIPPING} 30 3`
    const known = new Set(stated.match(/\d+/g))
    const spelled = new Set([2, 4, 3, 30])
    const faults: string[] = []
    const tryAll = async () => {
      while (seed < TRIES) {
        seed += 1
        const own = seed
        const { text, body } = await ask(product, shop, `${QUESTION} (Try-${own})`)
        const said = (body.reply?.content ?? text).normalize('NFKC')
        const numbers = said.match(/\p{Nd}+/gu) ?? []
        const isTrue =
          numbers.every((number) => known.has(number) || number === String(own)) &&
          spelledNumbers(said, { isStrict: true }).every((value) => spelled.has(value)) &&
          !/sale|sales/.test(said)
        if (!isTrue) faults.push(`${own}: ${said}`)
      }
    }
    await Promise.all([tryAll(), tryAll(), tryAll(), tryAll()])
    expect(faults).toEqual([])
    const { text } = await product.call('/metrics', { token: METRICS_TOKEN })
    expect(text).toMatch(/sohbet_answer_checks_total\{result="replaced"\} \d{2}/)
  })

  test('is asked for once more, and both calls are paid', async () => {
    server.act = (_call, count) => ({
      text: [count === 1 ? 'It costs 75 TL.' : TRUE],
      usage: { input: 600, output: 100 },
    })
    const answer = await ask(product, shop, QUESTION, { stream: true })
    expect(answer.text).not.toContain('75 TL')
    const last = eventsOf(answer.text).at(-1)
    expect(last).toMatchObject({
      credits_used: 2,
      reply: {
        content: 'Shipping to Izmir costs 49,90 TL.',
        citations: [{ quote: 'Shipping to Izmir costs 49,90 TL and takes 2 to 4 days.' }],
      },
    })
    const messages = JSON.stringify(server.calls[1]?.body.messages)
    expect(messages).toContain(String.raw`\"not_found\":[\"75\"]`)
  })

  test('keeps the sentences that were right, and is then replaced by the passages', async () => {
    server.act = { text: ['Gladly! It costs 75 TL. Bye.'], usage: USAGE }
    const { body } = await ask(product, shop, QUESTION)
    expect(body.reply?.content).toMatch(/^Gladly! .*49,90 TL/)
    expect(body.reply?.content).not.toContain('75')
    expect(body.reply?.citations).toMatchObject([{ title: 'Shipping' }])
  })

  test('may repeat what the visitor and the facts say', async () => {
    const { token } = shop
    const path = '/api/v1/memory/parking'
    await product.call(path, { method: 'PUT', token, body: { value: '12 places', public: true } })
    server.act = { text: ['For 7 people there are 12 parking places.'], usage: USAGE }
    const { body } = await ask(product, shop, 'Can 7 of us park?')
    expect(body.reply?.content).toBe('For 7 people there are 12 parking places.')
    expect(server.calls).toHaveLength(1)
  })

  test('can search again with other words, and cite what it finds', async () => {
    server.act = ({ body }) => {
      const { results, document } = readBy(body)
      if (results.length === 0) {
        return { calls: [{ id: 'c1', name: 'search', input: '{"query":"refund card"}' }] }
      }
      const number = /"number\\*":(\d+),\\*"title\\*":\\*"Returns\\*"/.exec(results[0] ?? '')?.[1]
      const cited = number ?? String(document.passages.length)
      return { text: [`The card is refunded within 3 working days [${cited}].`], usage: USAGE }
    }
    const { body } = await ask(product, shop, 'Und was wird aus den Moneten?')
    expect(body.reply).toMatchObject({
      content: 'The card is refunded within 3 working days.',
      citations: [{ heading: 'Refunds' }],
    })
    expect(server.calls).toHaveLength(2)
  })

  test('knows the page, and how the site wants it to sound', async () => {
    server.act = { text: ['Gladly.'], usage: USAGE }
    const { token, tenantId } = shop
    const assistant = { tone: 'formal', instructions: 'Offer gift wrapping.' }
    const changed = await product.call(`/api/v1/tenants/${tenantId}`, {
      method: 'PATCH',
      token,
      body: { assistant },
    })
    expect(changed.body).toMatchObject({ assistant })
    await ask(product, shop, 'Can I send this back?', { page_url: 'https://shop.example/returns' })
    expect(readBy(server.calls[0]?.body ?? {}).document).toMatchObject({
      owner: assistant,
      page: { title: 'Returns', url: 'https://shop.example/returns' },
    })
  })
})
