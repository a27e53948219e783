import type { Page } from '@playwright/test'
import {
  expect,
  pageWith,
  type Product,
  stored,
  strictPolicy,
  tag,
  test,
  openInNewTab,
} from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const MESSAGE = '**/api/v1/chatbot/message'

/** Ids and texts of the messages that reach the server, try by try. */
function watchMessages(page: Page): { id: string; text: string }[] {
  const sent: { id: string; text: string }[] = []
  page.context().on('request', (request) => {
    if (!request.url().endsWith('/chatbot/message') || request.method() !== 'POST') return
    const body: { message: string } = request.postDataJSON()
    sent.push({ id: request.headers()['x-request-id'] ?? '', text: body.message })
  })
  return sent
}

/** The keys of the messages that wait in the browser. */
const waitingIn = async (page: Page) =>
  (await stored(page)).filter((key) => key.startsWith('sohbet:demo:outbox'))

/** The stored messages of the page's conversation, oldest first. */
async function keptBy(product: Product, page: Page): Promise<string[]> {
  const session = await page.evaluate(() => localStorage.getItem('sohbet:demo:session'))
  const kept = await product.ask<{ messages: { data: { role: string; content: string }[] } }>(
    `/api/v1/inbox/${session}`,
  )
  return kept.messages.data.filter(({ role }) => role === 'visitor').map(({ content }) => content)
}

test('keeps what is written without a connection, and sends it once and in order', async ({
  page,
  product,
  widget,
}) => {
  await widget.begin(strictPolicy(product))
  await page.context().setOffline(true)
  await widget.ask('İade süresi kaç gün?')
  await widget.ask('Mağaza nerede?')
  await expect(widget.panel.getByRole('alert')).toContainText('İnternet bağlantınızı kontrol edin')
  await expect(widget.panel.locator('.waiting')).toHaveText('Mağaza nerede?')
  await page.context().setOffline(false)
  await expect(widget.answers).toHaveCount(3)
  await expect(widget.panel.getByRole('alert')).toHaveCount(0)
  await expect(widget.panel.getByRole('log').locator('.line')).toHaveText([
    /Kargo ücreti/,
    /79 TL/,
    /İade süresi/,
    /30 gün/,
    /Mağaza nerede/,
    /./,
  ])
  expect(await keptBy(product, page)).toEqual([
    'Kargo ücreti ne kadar?',
    'İade süresi kaç gün?',
    'Mağaza nerede?',
  ])
})

test('keeps it over a reload and for another tab, which sends it once', async ({
  page,
  product,
  site,
  widget,
}) => {
  const address = site.serve(pageWith(tag(product)))
  await page.goto(address)
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  const { panel } = await openInNewTab(page, address)
  await expect(panel.locator('[part=assistant]')).toHaveCount(1)

  await page.context().setOffline(true)
  await widget.ask('İade süresi kaç gün?')
  await panel.locator('.composer textarea').fill('Mağaza nerede?')
  await panel.locator('.composer textarea').press('Enter')
  await expect(widget.panel.getByRole('alert')).toBeVisible()
  await page.context().setOffline(false)
  await expect(panel.locator('[part=assistant]')).toHaveCount(3)
  await expect(widget.answers).toHaveCount(3)
  expect(await keptBy(product, page)).toEqual([
    'Kargo ücreti ne kadar?',
    'İade süresi kaç gün?',
    'Mağaza nerede?',
  ])
  await expect.poll(() => waitingIn(page)).toEqual([])
})

test('keeps every message where two tabs write at the same moment', async ({
  page,
  product,
  site,
  widget,
}) => {
  const address = site.serve(pageWith(tag(product)))
  await page.goto(address)
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  const { tab: other, panel } = await openInNewTab(page, address)
  await expect(panel.locator('[part=assistant]')).toHaveCount(1)
  // A tab reads what others store some milliseconds later; this one never.
  await other.evaluate(() => {
    const own = new Map(Object.entries(localStorage))
    const write = localStorage.setItem.bind(localStorage)
    Storage.prototype.getItem = (key) => own.get(key) ?? null
    Storage.prototype.setItem = (key, value) => {
      own.set(key, value)
      write(key, value)
    }
  })

  await page.context().setOffline(true)
  await page.evaluate(`for (const each of ['İade', 'Kapıda ödeme']) Sohbet.send(each)`)
  await expect(widget.panel.getByRole('alert')).toBeVisible()
  await other.evaluate(`Sohbet.send('Mağaza nerede?')`)
  await expect(widget.panel.getByText('Mağaza nerede?')).toBeVisible()
  await other.close()
  await page.context().setOffline(false)
  await expect(widget.answers).toHaveCount(4)
  const questions = ['Kargo ücreti ne kadar?', 'İade', 'Kapıda ödeme', 'Mağaza nerede?']
  expect(await keptBy(product, page)).toEqual(questions)
})

test('counts down when the server asks to wait, and sends automatically', async ({
  page,
  widget,
}) => {
  const sent = watchMessages(page)
  await page.route(
    MESSAGE,
    (route) =>
      route.fulfill({
        status: 429,
        headers: {
          'Retry-After': '2',
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Expose-Headers': 'Retry-After',
        },
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 429, code: 'rate_limited' }),
      }),
    { times: 1 },
  )
  await widget.visit()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.panel.getByText(/\d sn sonra gönderilecek/)).toBeVisible()
  await expect(widget.answers).toContainText('79 TL')
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
})

test('tries again when the service is overloaded', async ({ page, widget }) => {
  const sent = watchMessages(page)
  await page.route(MESSAGE, (route) => route.fulfill({ status: 503, body: '{}' }), { times: 2 })
  await widget.visit()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toContainText('79 TL')
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
  await expect(widget.panel.getByRole('alert')).toHaveCount(0)
})

test('asks again for an answer that was cut, and shows it once', async ({
  page,
  product,
  widget,
}) => {
  const sent = watchMessages(page)
  await page.route(
    MESSAGE,
    async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      await route.fulfill({ response, body: text.slice(0, text.indexOf('\n\n') + 2) })
    },
    { times: 1 },
  )
  await widget.begin()
  await expect(widget.answers).toContainText('79 TL')
  await expect(widget.panel.getByRole('log').locator('.line')).toHaveCount(2)
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
  expect(await keptBy(product, page)).toEqual(['Kargo ücreti ne kadar?'])
})

test('finishes an answer that was under way when the page was reloaded', async ({
  page,
  widget,
}) => {
  const sent = watchMessages(page)
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(
    MESSAGE,
    async (route) => {
      await route.fetch()
      await held
      await route.abort().catch(() => undefined)
    },
    { times: 1 },
  )
  await widget.visit()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.panel.locator('.dots')).toBeVisible()
  await expect.poll(() => sent.length).toBe(1)
  await page.reload()
  release()
  await widget.open()
  await expect(widget.answers).toContainText('79 TL')
  await expect(widget.panel.getByRole('log').locator('.line')).toHaveCount(2)
  expect(sent[1]).toEqual(sent[0])
})
