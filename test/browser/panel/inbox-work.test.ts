import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { accessFaults, addOperator, openPanel } from './people.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const ENGLISH = { locale: 'en-GB' }
const list = (page: Page) => page.getByRole('list', { name: 'Conversations' })

test('conversations are tagged, snoozed, found and given to a colleague', async ({
  browser,
  product,
  widget,
}) => {
  const deniz = await addOperator(product, 'Rüya')
  await widget.begin()
  const id = await widget.session()
  const { page, faults } = await openPanel(browser, product, `/inbox/${id}`, ENGLISH)
  const row = page.locator(`a.conversation[href*="${id}"]`)
  await expect(row).toBeVisible()

  await page.getByRole('combobox', { name: 'Add a tag' }).fill('kargo')
  await page.keyboard.press('Enter')
  await expect(row.getByText('kargo', { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Tags' }).selectOption('kargo')
  await expect(page).toHaveURL(/tag=kargo/)
  await expect(row).toBeVisible()
  await page.getByRole('combobox', { name: 'Tags' }).selectOption('')

  await page.getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('button', { name: 'One hour' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('link', { name: /^Snoozed/ }).click()
  await expect(row).toBeVisible()
  // The visitor writes, so it comes back.
  await page.getByRole('link', { name: /^Open/ }).click()
  await expect(row).toHaveCount(0)
  await widget.ask('Teşekkürler İĞDE')
  await expect(row).toBeVisible()
  await expect(page.getByText(/^Snoozed until/)).toHaveCount(0)

  const search = page.getByRole('searchbox', { name: 'Search messages and contacts' })
  await search.fill('nobody wrote this')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('button', { name: 'Search closed conversations' }).click()
  await expect(page.getByRole('link', { name: /^Closed/ })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: /^Open/ }).click()
  await search.fill('tesekkurler igde')
  await expect(list(page).getByRole('link')).toHaveCount(1)
  const name = `Nâzım ${crypto.randomUUID().slice(0, 8)}`
  const email = 'nazim.iletisim@example.com'
  const contact = { name, email, phone: '0532 987 65 43', consent: true }
  await product.ask(`/api/v1/chatbot/sessions/${id}/lead`, contact)
  for (const wanted of [name, 'nazim.iletisim@']) {
    await search.fill(wanted)
    await expect(page).toHaveURL((url) => url.searchParams.get('q') === wanted)
    await expect(list(page).getByRole('link')).toHaveCount(1)
    await expect(row).toContainText(name)
  }
  await search.fill('')

  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Rüya/ }).click()
  await expect(row.locator('.badge', { hasText: 'Rüya' })).toBeVisible()
  const { page: other } = await openPanel(browser, product, '/inbox?view=mine', {
    ...ENGLISH,
    login: deniz,
  })
  await expect(list(other).getByRole('link')).toHaveCount(1)
  expect(await accessFaults(page)).toEqual([])
  expect(faults).toEqual([])
})

test('a saved reply is inserted by “/”, and a draft is asked for, shown as one and paid', async ({
  browser,
  product,
  widget,
}) => {
  await widget.begin()
  const id = await widget.session()
  const { page, faults } = await openPanel(browser, product, `/inbox/${id}`, ENGLISH)
  const reply = page.getByRole('textbox', { name: 'Reply' })

  await page.getByRole('button', { name: 'Saved replies' }).click()
  await page.getByRole('button', { name: 'New saved reply' }).click()
  await page.getByLabel('Name').fill('Greeting')
  await page.getByLabel('Text', { exact: true }).fill('Hello, how can I help?')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('dialog').getByText('Hello, how can I help?')).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  // What is removed comes back while the dialog is open.
  await page.getByRole('button', { name: 'Delete: Greeting' }).click()
  await expect(page.getByRole('button', { name: 'Delete: Greeting' })).toHaveCount(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Delete: Greeting' })).toBeVisible()
  await page.keyboard.press('Escape')
  await reply.fill('/gree')
  await expect(page.getByRole('option', { name: /Greeting/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(reply).toHaveValue('Hello, how can I help?')
  await reply.fill('')

  const credits = () => product.ask<{ remaining: number }>('/api/v1/credits')
  const { remaining } = await credits()
  await page.getByRole('button', { name: 'Draft with AI' }).click()
  const draft = page.getByRole('region', { name: 'Draft from your documents' })
  await expect(draft).toContainText('79 TL')
  await expect(draft).toContainText(/1 credit used · not sent/)
  await expect.poll(async () => (await credits()).remaining).toBeLessThan(remaining)
  expect(await accessFaults(page)).toEqual([])
  await draft.getByRole('button', { name: 'Use this draft' }).click()
  await expect(reply).toHaveValue(/79 TL/)
  await expect(page.locator('.bubble.operator')).toHaveCount(0)
  expect(faults).toEqual([])
})

test('a reply that could not be sent outlives a reload, and is sent once', async ({
  browser,
  product,
  widget,
}) => {
  await widget.begin()
  const id = await widget.session()
  const { page } = await openPanel(browser, product, `/inbox/${id}`, ENGLISH)
  const text = `On its way ${crypto.randomUUID().slice(0, 8)}`
  const sending = `**/api/v1/inbox/${id}/messages`
  // The reply arrives, and the connection is lost before the answer.
  await page.route(sending, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.route('**/api/v1/live*', (route) => route.abort())
  await page.reload()
  await page.getByRole('textbox', { name: 'Reply' }).fill(text)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Not sent')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Not sent')).toBeVisible()
  await page.unroute(sending)
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('Not sent')).toHaveCount(0)
  await expect(page.getByRole('log').getByText(text)).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('log').getByText(text)).toHaveCount(1)
  await expect(page.getByText('Not sent')).toHaveCount(0)
})

test('a stream goes on after a restart of the server, and polling stands in for a blocked one', async ({
  browser,
  product,
  widget,
}) => {
  await widget.begin()
  const id = await widget.session()
  const { page } = await openPanel(browser, product, `/inbox/${id}`, ENGLISH)
  const log = page.getByRole('log')
  await expect(log).toContainText('79 TL')
  await page.getByRole('textbox', { name: 'Reply' }).fill('One moment.')
  await page.keyboard.press('Enter')
  await expect(widget.panel.locator('[part=operator]')).toContainText('One moment.')

  await product.restart()
  await widget.ask('Orada mısınız?')
  await expect(log).toContainText('Orada mısınız?')

  const { page: poller } = await openPanel(browser, product, '/sign-in', ENGLISH)
  await poller.route('**/api/v1/live*', (route) => route.abort())
  await poller.goto(`${product.url}/panel/inbox/${id}`)
  await expect(poller.getByRole('log')).toContainText('Orada mısınız?')
  await expect(poller.getByText(/Live updates are blocked here/)).toBeVisible()
  await widget.ask('Hâlâ bekliyorum')
  await expect(poller.getByRole('log')).toContainText('Hâlâ bekliyorum')
  await expect(log.getByText('Hâlâ bekliyorum')).toHaveCount(1)
})
