import type { Page } from '@playwright/test'
import { axeOn, expect, pageWith, type Product, tag, test } from '../fixtures.ts'
import { holdAnswer } from '../streams.ts'

// Reduced motion: an animated element has no fixed place and no fixed color.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const DAY = [{ from: '00:00', to: '23:30' }]
const WEEK = { mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY, sat: DAY, sun: DAY }
const ANSWER = {
  content: 'Kargo **79 TL** tutar:\n\n- Yurt içi\n- [Yurt dışı](https://example.com/a)\n\n`KRG`',
  citations: [
    { title: 'Kargo', heading: 'Ücret', url: 'https://example.com/b', anchor: null, quote: '' },
  ],
  quick_replies: ['İade süresi kaç gün?', 'Mağaza nerede?'],
}

/** Targets that are too small for a finger (WCAG 2.5.8); links within a sentence may be. */
async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('sohbet-widget')?.shadowRoot
    const all = [
      ...(root?.querySelectorAll<HTMLElement>('button, input, textarea, select, a') ?? []),
    ]
    return all
      .filter((each) => each.checkVisibility() && !each.closest('.bubble'))
      .filter((each) => {
        const { width, height } = each.getBoundingClientRect()
        return Math.min(width, height) < 24
      })
      .map((each) => each.outerHTML)
  })
}

/** Looks, in light and in dark, at a state of the widget; all that axe finds, and small targets. */
async function faultsIn(page: Page, state: string): Promise<string[]> {
  const found = (await smallTargets(page)).map((html) => `${state}: small ${html}`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const axe = axeOn(page).include('sohbet-widget')
    // Nothing but the colors is another.
    const { violations } = await (
      colorScheme === 'dark' ? axe.withRules('color-contrast') : axe
    ).analyze()
    for (const { id, nodes } of violations)
      found.push(`${state}, ${colorScheme}: ${id} ${nodes.map(({ html }) => html).join(' ')}`)
  }
  return found
}

/** Opens the shop at all hours while `run` goes on, so that there are times to book. */
async function whileOpen(product: Product, run: () => Promise<void>): Promise<void> {
  await product.ask('/api/v1/tenants/demo', { office_hours: WEEK }, 'PATCH')
  try {
    await run()
  } finally {
    await product.ask('/api/v1/tenants/demo', { office_hours: {} }, 'PATCH')
  }
}

test('has no fault that axe knows in any state of a talk with the bot', async ({
  page,
  product,
  site,
  widget,
}) => {
  const found: string[] = []
  const look = async (state: string) => found.push(...(await faultsIn(page, state)))
  const { panel } = widget
  await whileOpen(product, async () => {
    await page.goto(site.serve(pageWith(tag(product))))
    await expect(widget.launcher).toBeVisible()
    await look('closed')
    await widget.open()
    await look('empty')
    await widget.ask('Kargo ücreti ne kadar?')
    await expect(widget.answers).toHaveCount(1)
    const answer = await holdAnswer(page)
    await widget.ask('Peki yurt dışına?')
    await look('waiting for an answer')
    await answer.send('Kargo **79')
    await look('streaming')
    await answer.finish(ANSWER)
    await expect(widget.answers).toHaveCount(2)
    await look('answered')
    await panel.locator('.more').click()
    await expect(panel.getByRole('menu')).toBeVisible()
    await look('menu')
    await page.keyboard.press('Escape')
    await widget.menu('İletişim bilgisi bırak')
    await panel.locator('.form').getByRole('button', { name: 'Gönder' }).click()
    await expect(panel.locator('.wrong:not(:empty)')).toHaveCount(3)
    await look('form with errors')
    await panel.locator('.form .cancel').click()
    await widget.menu('Randevu al')
    await panel.getByRole('radiogroup', { name: 'Saat' }).getByRole('radio').first().check()
    await look('calendar')
    await panel.locator('.calendar .cancel').click()
    await widget.menu('Sohbeti e-postayla al')
    await panel.locator('.form').getByRole('button', { name: 'Gönder' }).click()
    await expect(panel.locator('#sheet-error')).not.toBeEmpty()
    await look('transcript')
    await panel.locator('.form .cancel').click()
    await widget.menu('Verileriniz')
    await look('data')
    await panel.locator('.form .cancel').last().click()
    await page.context().setOffline(true)
    await widget.ask('İade süresi kaç gün?')
    await widget.ask('Mağaza nerede?')
    await expect(panel.getByRole('alert')).toBeVisible()
    await look('offline')
  })
  expect(found).toEqual([])
})

test('has no fault that axe knows in any state of a talk with people', async ({
  page,
  product,
  widget,
}) => {
  const found: string[] = []
  const look = async (state: string) => found.push(...(await faultsIn(page, state)))
  const { panel } = widget
  await widget.begin()
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect(panel.locator('.system')).toHaveCount(1)
  await look('waiting for people')
  const session = await page.evaluate(() => localStorage.getItem('sohbet:demo:session'))
  await product.ask(`/api/v1/inbox/${session}/messages`, { text: 'Merhaba, ben Ayşe.' })
  await expect(panel.locator('[part=operator]')).toHaveCount(1)
  await widget.ask('Hediye paketi var mı?')
  await expect(panel.locator('.seen')).toBeVisible()
  await product.ask(`/api/v1/inbox/${session}/typing`, { is_typing: true })
  await expect(panel.locator('.operator .dots')).toBeVisible()
  await look('with people')
  await page.evaluate('Sohbet.close()')
  await product.ask(`/api/v1/inbox/${session}/messages`, { text: 'Evet, var.' })
  await expect(widget.launcher).toHaveAccessibleName('Sohbet, 1 yeni mesaj')
  await look('unread')
  await widget.open()
  await product.ask(`/api/v1/inbox/${session}/close`, {})
  await panel.getByRole('radio', { name: 'İyi', exact: true }).check()
  await look('rating')
  expect(found).toEqual([])
})

test('has no fault that axe knows in what goes wrong, and in Arabic', async ({
  page,
  product,
  site,
  widget,
}) => {
  const found: string[] = []
  const look = async (state: string) => found.push(...(await faultsIn(page, state)))
  const { panel } = widget
  const headers = { 'Access-Control-Allow-Origin': '*' }
  const expose = { 'Access-Control-Expose-Headers': 'Retry-After', 'Retry-After': '60' }
  let status = 429
  await page.route('**/chatbot/message', (route) =>
    route.fulfill({ status, headers: { ...headers, ...expose }, body: '{"code":"rate_limited"}' }),
  )
  await page.goto(site.serve(pageWith(tag(product, 'data-tenant="demo" data-locale="ar"'), 'ar')))
  await widget.open()
  await expect(panel).toHaveAttribute('dir', 'rtl')
  await widget.ask('كم تكلفة الشحن؟')
  await expect(panel.locator('.note')).toBeVisible()
  await look('put off')
  await page.reload()
  status = 422
  await widget.open()
  await expect(panel.getByRole('alert')).toBeVisible()
  await look('refused')
  await page.unroute('**/chatbot/message')
  await page.route('**/chatbot/message', (route) =>
    route.fulfill({ status: 402, headers, body: '{"code":"credits_exhausted"}' }),
  )
  await widget.ask('كم تكلفة الشحن؟')
  await panel.locator('.form .submit').click()
  await expect(panel.locator('.wrong:not(:empty)')).toHaveCount(3)
  await look('without credits, with the form and its errors')
  // It opens again automatically, and shows why.
  await panel.locator('.form .cancel').click()
  await widget.ask('كم تكلفة الشحن؟')
  await expect(panel.locator('.form')).toBeVisible()
  await expect(panel.getByRole('alert').first()).toBeInViewport({ ratio: 1 })
  expect(found).toEqual([])
})
