import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerRow } from '../../../server/credits/schema.ts'
import type { Asked, TestQuestion, TestResults } from '../../../server/evaluation/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { describeOnBothDatabases, describeOnDatabase } from '../../helpers/databases.ts'
import {
  type TestProduct,
  type TestWorkspace,
  addDocument,
  addWorkspace,
} from '../../helpers/product.ts'
import { type ModelServer, startModelServer } from '../../helpers/servers/model-server.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { openShop, readBy, settingsOf } from '../models/answering-visitor.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const QUESTION = 'What is the return period?'
const run = promisify(execFile)

const askOf = (product: TestProduct, { token, tenantId }: TestWorkspace, question: string) =>
  product.call<Asked>(`/api/v1/tenants/${tenantId}/ask`, { token, body: { question } })

const placeOf = ({ tenantId }: TestWorkspace) => `/api/v1/tenants/${tenantId}/questions`

async function resultsOf(product: TestProduct, shop: TestWorkspace): Promise<TestResults> {
  const path = `${placeOf(shop)}/results`
  const read = () => product.call<TestResults>(path, { token: shop.token })
  await expect.poll(async () => (await read()).body.state).not.toBe('running')
  return (await read()).body
}

describeOnBothDatabases('the test set of a tenant', (database) => {
  const product = useProduct(database)

  test('is asked as a visitor would, and says what changed since the run before', async () => {
    const shop = await addWorkspace(product, { tenant: { locale: 'en' } })
    const { token } = shop
    const place = placeOf(shop)
    const docId = await addDocument(product, shop, {
      title: 'Returns',
      content: '# Returns\n\nYou can return a product within 30 days of delivery.',
    })
    const add = (question: string, expected: object) =>
      product.call<TestQuestion>(place, { token, body: { question, expected } })
    expect((await product.call(`${place}/run`, { token, method: 'POST' })).status).toBe(409)
    expect((await product.call(`${place}/results`, { token })).status).toBe(204)
    await add('How many days do I have to return a product?', { doc_id: docId, words: ['30 days'] })
    await add('How much is shipping of an order?', { words: ['49 TL|49 lira'] })
    const peru = await add('Who painted the Mona Lisa?', { none: true })
    expect((await add('Empty?', {})).status).toBe(422)

    const started = await product.call<{ run_id: string }>(`${place}/run`, { token, body: {} })
    expect(started.status, started.text).toBe(202)
    const first = await resultsOf(product, shop)
    expect(first).toMatchObject({ right: 2, refused: 1, wrong: 0, hit_rate: 0.5, credits_used: 0 })
    expect(first.results.map(({ outcome }) => outcome)).toEqual(['right', 'refused', 'right'])
    expect(first.results.some(({ changed }) => changed)).toBe(false)

    await addDocument(product, shop, {
      title: 'Shipping',
      content: '# Shipping\n\nShipping of an order costs 49 TL. It takes two days.',
    })
    await product.call(`${place}/${peru.body.question_id}`, { token, method: 'DELETE' })
    await product.call(`${place}/run`, { token, body: {} })
    const second = await resultsOf(product, shop)
    expect(second.results).toMatchObject([
      { outcome: 'right', changed: false },
      { outcome: 'right', before: 'refused', changed: true },
    ])
  })
})

describeOnDatabase('the test console', (database) => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer(({ body }) => ({
      text: readBy(body).document.question.includes('Peru')
        ? ['I do not know that [?].']
        : ['Within 30 days of delivery [1].'],
      usage: { input: 700, output: 100 },
    }))
  })
  afterAll(() => server.close())

  describe('with a model', () => {
    const product = useProduct(database, () => ({ settings: settingsOf(server) }))

    test('shows the answer, its passages and its price, and stores no conversation', async () => {
      const shop = await openShop(product)
      const { body } = await askOf(product, shop, QUESTION)
      expect(body).toMatchObject({
        outcome: 'answered',
        reason: 'model_answered',
        answer: 'Within 30 days of delivery.',
        threshold: 0.35,
        citations: [{ title: 'Returns', doc_id: body.passages[0]?.doc_id }],
        credits_used: 1,
      })
      const unknown = await askOf(product, shop, 'What is the capital of Peru?')
      expect(unknown.body).toMatchObject({ outcome: 'refused', reason: 'model_declined' })
      const { token } = shop
      const inbox = await product.call<Page<object>>('/api/v1/inbox', { token })
      expect(inbox.body.data).toEqual([])
      const ledger = await product.call<Page<LedgerRow>>('/api/v1/credits/ledger', { token })
      expect(ledger.body.data.filter(({ type }) => type === 'settle')).toHaveLength(2)
      const calls = JSON.stringify(server.calls.map(({ body: { tools } }) => tools ?? []))
      expect(calls).not.toContain('capture_lead')
    })

    test('is refused without credits, and a run ends with what it could pay', async () => {
      const shop = await openShop(product, { credits: 2 })
      const { token } = shop
      for (const question of [QUESTION, 'And refunds?', 'And gifts?']) {
        await product.call(placeOf(shop), {
          token,
          body: { question, expected: { words: ['30 days'] } },
        })
      }
      await product.call(`${placeOf(shop)}/run`, { token, body: {} })
      const results = await resultsOf(product, shop)
      expect(results).toMatchObject({ state: 'failed', right: 2, credits_used: 2 })
      expect(results.error).toContain('Credits needed')
      expect((await askOf(product, shop, QUESTION)).status).toBe(402)
    })
  })

  describe('without a model', () => {
    const product = useProduct(database)
    let folder = ''
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ask-'))
    })
    afterAll(() => rm(folder, { recursive: true }))

    test('costs nothing', async () => {
      const shop = await openShop(product)
      const { body } = await askOf(product, shop, QUESTION)
      expect(body).toMatchObject({
        outcome: 'answered',
        reason: 'passages_quoted',
        credits_used: 0,
      })
      expect((await askOf(product, shop, 'Hello!')).body.outcome).toBe('small_talk')
    })

    test('is asked from a file by npm run ask, which says what changed', async () => {
      const shop = await openShop(product)
      const file = join(folder, 'questions.csv')
      await writeFile(
        file,
        'question,wanted\n"What is the return period?",Returns\n' +
          'When is my card refunded?,3 working days;card\nWho painted the Mona Lisa?,none\n',
      )
      const env = { ...process.env, SOHBET_URL: product.url, SOHBET_KEY: shop.token }
      const ask = () => run('node', ['tools/ask.ts', shop.tenantId, file], { env, cwd: ROOT })
      const first = await ask()
      expect(first.stdout).toMatch(/right +3 +100 %/)
      expect(first.stdout).toContain('hit rate  100 %')
      expect(first.stdout).toContain('first run')
      expect(await readFile(join(folder, 'questions.last.json'), 'utf8')).toContain('Mona Lisa')
      await addDocument(product, shop, {
        title: 'Art',
        content: '# Mona Lisa\n\nLeonardo painted the Mona Lisa.',
      })
      const second = await ask()
      expect(second.stdout).toContain('right → wrong: Who painted the Mona Lisa?')
      await expect(
        run('node', ['tools/ask.ts', 'no-such-tenant', file], { env, cwd: ROOT }),
      ).rejects.toThrow('tenant does not exist')
    })
  })
})
