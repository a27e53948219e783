import type { Page } from '@playwright/test'
import {
  expect,
  pageWith,
  type Product,
  strictPolicy,
  tag,
  test,
  openInNewTab,
} from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const MESSAGE = '**/api/v1/chatbot/message'

/** The conversation of the page's visitor. */
async function sessionOf(page: Page): Promise<string> {
  return (await page.evaluate(() => localStorage.getItem('sohbet:demo:session'))) ?? ''
}

/** Every message of it that the server has kept, oldest first. */
async function keptBy(product: Product, page: Page): Promise<string[]> {
  const kept = await product.ask<{ messages: { data: { role: string; content: string }[] } }>(
    `/api/v1/inbox/${await sessionOf(page)}`,
  )
  return kept.messages.data.filter(({ role }) => role === 'visitor').map(({ content }) => content)
}

test('says so where a proxy takes a message and never answers, and goes on afterwards', async ({
  page,
  product,
  widget,
}) => {
  await page.clock.install()
  const held: string[] = []
  await widget.begin(strictPolicy(product))
  await page.route(MESSAGE, (route) => void held.push(route.request().url()))
  await widget.ask('İade süresi kaç gün?')
  await expect.poll(() => held.length).toBe(1)
  await page.clock.runFor(31_000)
  await expect(widget.panel.getByText('Tekrar deneniyor')).toBeVisible()
  // The visitor can go on writing in the meantime.
  await widget.ask('Mağaza nerede?')
  await expect(widget.panel.locator('.waiting')).toHaveText('Mağaza nerede?')
  const alert = widget.panel.getByRole('alert')
  await expect
    .poll(async () => {
      await page.clock.runFor(5_000)
      return alert.count()
    })
    .toBe(1)
  expect(held).toHaveLength(2)
  await expect(alert).toContainText('yarıda kesildi')
  await page.unroute(MESSAGE)
  await alert.getByRole('button').click()
  await expect(widget.answers).toHaveCount(3)
  await expect(widget.panel.getByText('Tekrar deneniyor')).toHaveCount(0)
  await expect(alert).toHaveCount(0)
  expect(await keptBy(product, page)).toEqual([
    'Kargo ücreti ne kadar?',
    'İade süresi kaç gün?',
    'Mağaza nerede?',
  ])
})

test('says so where nobody answers for the history, and brings it once somebody does', async ({
  page,
  product,
  widget,
}) => {
  await widget.begin(strictPolicy(product))
  await page.clock.install()
  await page.route('**/sessions/*/messages*', () => undefined)
  await page.reload()
  await widget.open()
  await expect
    .poll(async () => {
      await page.clock.runFor(5_000)
      return widget.panel.getByText('Önceki mesajlar yüklenemedi').count()
    })
    .toBe(1)
  await widget.ask('İade süresi kaç gün?')
  await expect(widget.answers.last()).toContainText('30 gün')
})

test('shows what the team wrote while the browser had put the page to sleep', async ({
  page,
  product,
  widget,
}) => {
  await widget.begin(strictPolicy(product))
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect(widget.panel.locator('.system')).toHaveCount(1)
  const session = await sessionOf(page)
  const write = (text: string) => product.ask(`/api/v1/inbox/${session}/messages`, { text })
  const said = widget.panel.locator('[part=operator]')
  await write('Merhaba')
  await expect(said).toHaveText(/Merhaba/)
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setWebLifecycleState', { state: 'frozen' })
  await write('Buyurun?')
  await browser.send('Page.setWebLifecycleState', { state: 'active' })
  await expect(said).toHaveText([/Merhaba/, /Buyurun/])
  await widget.ask('Hediye paketi yapıyor musunuz?')
  await expect.poll(() => keptBy(product, page)).toHaveLength(2)
})

test('invites once where storage is blocked, however often it is opened', async ({
  page,
  product,
  site,
  widget,
}) => {
  const { theme } = await product.ask<{ theme: object }>('/api/v1/tenants/demo')
  const rules = { invitation: { text: 'Size yardımcı olalım mı?', after_seconds: 1 } }
  await product.ask('/api/v1/tenants/demo', { theme: { ...theme, page: rules } }, 'PATCH')
  try {
    await page.addInitScript(() => {
      const get = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(globalThis, name, { get })
    })
    await page.clock.install()
    await page.goto(site.serve(pageWith(tag(product)), strictPolicy(product)))
    const words = page.getByRole('button', { name: 'Size yardımcı olalım mı?' })
    const wait = () => page.clock.runFor(1_500)
    await expect
      .poll(async () => {
        await wait()
        return words.count()
      })
      .toBe(1)
    await page.keyboard.press('Escape')
    await expect(words).toHaveCount(0)
    await widget.open()
    await page.keyboard.press('Escape')
    await expect(widget.panel).toBeHidden()
    await wait()
    await wait()
    await expect(words).toHaveCount(0)
  } finally {
    await product.ask('/api/v1/tenants/demo', { theme }, 'PATCH')
  }
})

for (const how of ['refuses', 'does not know'])
  test(`sends each message once from two tabs where the browser ${how} locks over tabs`, async ({
    page,
    product,
    site,
    widget,
  }) => {
    await page.context().addInitScript((isRefused) => {
      const request = () => Promise.reject(new DOMException('No.', 'SecurityError'))
      const value = isRefused ? { request } : undefined
      Object.defineProperty(navigator, 'locks', { value })
    }, how === 'refuses')
    const address = site.serve(pageWith(tag(product)))
    await page.goto(address)
    await widget.open()
    await widget.ask('Kargo ücreti ne kadar?')
    await expect(widget.answers).toHaveCount(1)
    const { panel } = await openInNewTab(page, address)
    await expect(panel.locator('[part=assistant]')).toHaveCount(1)
    const input = panel.locator('.composer textarea')
    await input.fill('Mağaza nerede?')
    // In both tabs at once.
    await Promise.all([widget.ask('İade süresi kaç gün?'), input.press('Enter')])
    await expect(widget.answers).toHaveCount(3)
    await expect(panel.locator('[part=assistant]')).toHaveCount(3)
    await expect(panel.locator('[part=visitor]')).toHaveCount(3)
    await expect(widget.panel.locator('[part=visitor]')).toHaveCount(3)
    const kept = await keptBy(product, page)
    expect(kept.toSorted()).toEqual(
      ['Kargo ücreti ne kadar?', 'İade süresi kaç gün?', 'Mağaza nerede?'].toSorted(),
    )
  })

test('shows a message once when another tab has sent it in the meantime', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.context().addInitScript(() => {
    Object.defineProperty(navigator, 'locks', { value: undefined })
  })
  const address = site.serve(pageWith(tag(product)))
  const isLive = Promise.withResolvers<void>()
  await page.route('**/live', async (route) => {
    await isLive.promise
    await route.continue()
  })
  await page.goto(address)
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  const isSent = Promise.withResolvers<void>()
  const isAnswered = Promise.withResolvers<void>()
  await page.route(MESSAGE, async (route) => {
    await isSent.promise
    await route.fulfill({ response: await route.fetch() })
    isAnswered.resolve()
  })
  await widget.ask('İade süresi kaç gün?')
  const { panel } = await openInNewTab(page, address)
  const input = panel.locator('.composer textarea')
  await input.fill('Mağaza nerede?')
  await input.press('Enter')
  await expect(panel.locator('[part=assistant]')).toHaveCount(3)
  // The first tab hears of its own message before it hears that it was sent.
  const history = page.waitForResponse('**/messages?*')
  isLive.resolve()
  await (await history).finished()
  await expect(widget.answers).toHaveCount(3)
  isSent.resolve()
  await isAnswered.promise
  await expect(widget.panel.locator('[part=visitor]')).toHaveCount(3)
  expect(await keptBy(product, page)).toHaveLength(3)
})
