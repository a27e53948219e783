import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, pageWith, type Product, stored, tag, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const ours = async (page: Page) => (await stored(page)).filter((key) => key.startsWith('sohbet:'))

const sessionOf = (page: Page) => page.evaluate(() => localStorage.getItem('sohbet:demo:session'))

/** A token of the shop's server for one of its customers. */
async function signedFor(product: Product, sub: string): Promise<string> {
  const path = '/api/v1/tenants/demo/identity-secret'
  const { identity_secret } = await product.ask<{ identity_secret: string }>(path)
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 300
  const text = `${encode({ alg: 'HS256' })}.${encode({ sub, exp })}`
  return `${text}.${createHmac('sha256', identity_secret).update(text).digest('base64url')}`
}

test('removes everything of a visitor who signs out, and starts afresh for the next one', async ({
  page,
  widget,
}) => {
  await widget.begin()
  const first = await sessionOf(page)
  await widget.input.fill('A draft of mine')
  await page.evaluate('Sohbet.reset()')
  await expect(widget.panel.locator('.line')).toHaveCount(0)
  await expect(widget.input).toHaveValue('')
  expect(await ours(page)).toEqual([])
  await widget.ask('İade süresi kaç gün?')
  await expect(widget.answers).toHaveCount(1)
  const second = await sessionOf(page)
  expect([first, second, null]).toHaveLength(new Set([first, second, null]).size)
  await page.reload()
  await widget.open()
  await expect(widget.panel.getByRole('log')).toContainText('İade')
  await expect(widget.panel.getByRole('log')).not.toContainText('Kargo')
})

test('does so at once where the chat is not loaded, and the page is left', async ({
  page,
  widget,
}) => {
  await widget.begin()
  await page.reload()
  await expect(widget.launcher).toBeVisible()
  await page.evaluate(() => localStorage.setItem('basket', 'two cups'))
  expect((await ours(page)).length).toBeGreaterThan(1)
  const left = page.waitForEvent('load')
  await page.evaluate('Sohbet.reset(); location.reload()')
  await left
  expect(await stored(page)).toEqual(['basket'])
  await widget.open()
  await expect(widget.panel.locator('.line')).toHaveCount(0)
})

test('sends no message of who has left', async ({ page, widget }) => {
  await widget.begin()
  const sent: string[] = []
  await page.route('**/api/v1/chatbot/message', (route) => {
    const body: { message: string } = route.request().postDataJSON()
    sent.push(body.message)
    return body.message.startsWith('Mine') ? undefined : route.continue()
  })
  await widget.ask('Mine alone')
  await expect.poll(() => sent).toEqual(['Mine alone'])
  await widget.ask('Mine too')
  await page.evaluate('Sohbet.reset()')
  await widget.ask('İade süresi kaç gün?')
  await expect(widget.answers).toHaveCount(1)
  await expect(widget.panel.locator('.line')).toHaveCount(2)
  expect(sent).toEqual(['Mine alone', 'İade süresi kaç gün?'])
})

test('shows another customer nothing of the one before, also where the site forgot', async ({
  page,
  product,
  site,
  widget,
}) => {
  // By customer: the answer to a page that was left may come while the next one is loaded.
  const statuses: Record<string, number[]> = { ayse: [], fatma: [] }
  const tokens = new Map<string, string>()
  page.on('response', (response) => {
    if (!response.url().endsWith('/chatbot/identify')) return
    const { token }: { token: string } = response.request().postDataJSON()
    statuses[tokens.get(token) ?? '']?.push(response.status())
  })
  const pageOf = async (customer: string) => {
    const token = await signedFor(product, customer)
    tokens.set(token, customer)
    const call = `(window.Sohbet ??= []).push(['identify', ${JSON.stringify({ token })}])`
    return pageWith(`<script>${call}</script>${tag(product)}`)
  }
  await page.goto(site.serve(await pageOf('ayse')))
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  // Until then the conversation is nobody's.
  await expect.poll(() => statuses.ayse).toEqual([200])
  const first = await sessionOf(page)
  // The same customer goes on.
  await page.goto(site.serve(await pageOf('ayse')))
  await widget.open()
  await expect(widget.answers).toHaveCount(1)
  await expect.poll(() => statuses.ayse).toEqual([200, 200])

  await page.goto(site.serve(await pageOf('fatma')))
  await widget.open()
  await expect.poll(() => statuses.fatma).toEqual([409])
  await expect.poll(() => ours(page)).toEqual([])
  await expect(widget.panel.locator('.line')).toHaveCount(0)
  await widget.ask('İade süresi kaç gün?')
  await expect(widget.answers).toHaveCount(1)
  await expect.poll(() => statuses.fatma).toEqual([409, 200])
  expect(await sessionOf(page)).not.toBe(first)
  await expect(widget.panel.getByRole('log')).not.toContainText('Kargo')
})
