import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { axeOn, expect, type Product } from '../fixtures.ts'

interface Login {
  email: string
  password: string
}

export const OWNER: Login = { email: 'owner@example.com', password: 'a long password' }

/**
 * A browser of its own with the panel open and that person signed in. `faults` are what its console
 * says; `refused` are the refusals of the API that are expected, such as `422 /api/v1/tenants/demo`.
 */
export async function openPanel(
  browser: Browser,
  product: Product,
  path: string,
  {
    login = OWNER,
    refused = [],
    ...options
  }: BrowserContextOptions & { login?: Login; refused?: readonly RegExp[] } = {},
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    locale: 'tr-TR',
    ...options,
  })
  const answer = await context.request.post(`${product.url}/api/v1/auth/login`, {
    data: login,
    headers: { origin: product.url },
  })
  expect(answer.status()).toBe(200)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    const { pathname } = new URL(message.location().url || product.url)
    const status = /status of (\d+)/.exec(message.text())?.[1]
    const refusal = `${status} ${pathname}`
    if (status !== undefined && refused.some((pattern) => pattern.test(refusal))) return
    faults.push(`${message.text()} ${pathname}`)
  })
  await page.goto(`${product.url}/panel${path}`)
  return { page, faults }
}

/** Invites somebody to the demo shop's workspace and accepts for them. */
export async function addOperator(product: Product, name: string): Promise<Login> {
  const email = `${crypto.randomUUID()}@example.com`
  const password = 'a long password'
  await product.ask('/api/v1/members', { email, role: 'operator' })
  const mails = (await (await fetch(`${product.devUrl}/mail`)).text()).split('<article>')
  const mail = mails.find((each) => each.includes(email)) ?? ''
  const token = /#token=([\w-]+)/.exec(mail)?.[1]
  await product.ask('/api/v1/members/accept', { token, name, password })
  return { email, password }
}

/** Every rule that axe has, on the whole page. */
export async function accessFaults(page: Page): Promise<string[]> {
  const { violations } = await axeOn(page).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Whether the page is wider than its window. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
}
