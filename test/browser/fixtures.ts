import { createServer } from 'node:http'
import { AxeBuilder } from '@axe-core/playwright'
import { type Locator, type Page, expect, test as base } from '@playwright/test'
import { listen, startServer } from './server-process.ts'

export const OPERATOR_TOKEN = 'operator-token-for-tests'
const DEV_PATH = /\/dev\/[0-9A-Za-z]+(?=\/hooks)/
const OWNER = { email: 'owner@example.com', password: 'a long password' }

/** The product as a site's owner has it: started from the command line, with the demo shop in it. */
export interface Product {
  url: string
  /** The address of the development pages. */
  devUrl: string
  tenant: string
  /** A tenant whose workspace has no credits left. */
  poorTenant: string
  /** Calls a route as the demo shop's owner; with a body it is a POST, or what `method` says. */
  ask<Body>(path: string, body?: object, method?: string): Promise<Body>
  /** Stops the server as `systemctl` does, and starts it again with its data. */
  restart(): Promise<void>
}

/** A customer's page on another origin than the product's. */
export interface Site {
  /** Serves `body` under `policy` and gives its address. */
  serve(body: string, policy?: string): string
}

/** The widget as a visitor meets it. */
export interface Widget {
  launcher: Locator
  panel: Locator
  input: Locator
  answers: Locator
  open(): Promise<void>
  /** Goes to a page that has nothing else, under that policy, and opens it there. */
  visit(policy?: string): Promise<void>
  /** The same, and asks the first question: it is answered. */
  begin(policy?: string): Promise<void>
  ask(question: string): Promise<void>
  /** Chooses an item of the menu. */
  menu(item: string): Promise<void>
  /** The id of the conversation, once there is one. */
  session(): Promise<string>
}

/** The strictest policy that a page can have and still let its own script run. */
export function strictPolicy(product: Product): string {
  return [
    "default-src 'none'",
    "script-src 'nonce-page' 'strict-dynamic'",
    `connect-src ${product.url}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join(';')
}

/** The line that a site's owner pastes. */
export function tag(product: Product, attributes = `data-tenant="${product.tenant}"`): string {
  return `<script src="${product.url}/widget.js" ${attributes} nonce="page" async></script>`
}

/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern what a fixture needs */

export const test = base.extend<
  { site: Site; widget: Widget; faults: string[]; others: undefined },
  { product: Product; isWholeBrowser: boolean }
>({
  // For what the headless shell does not have. A file of its own, because a worker has one browser.
  isWholeBrowser: [false, { option: true, scope: 'worker' }],

  launchOptions: [
    async ({ launchOptions, isWholeBrowser }, use) => {
      const { TEST_CHROMIUM } = process.env
      const isOther = isWholeBrowser && TEST_CHROMIUM !== undefined
      await use(isOther ? { ...launchOptions, executablePath: TEST_CHROMIUM } : launchOptions)
    },
    { scope: 'worker' },
  ],

  product: [
    async ({}, use) => {
      const server = await startServer({
        OPERATOR_TOKEN,
        OWNER_EMAIL: OWNER.email,
        OWNER_PASSWORD: OWNER.password,
        // All visitors and the owner of a worker's tests come from one address in the same minute.
        LIMIT_MESSAGE: '1000',
        LIMIT_DEFAULT: '1000',
        LIMIT_OPEN: '1000',
        // A retry schedule of seconds.
        DELIVERY_TIME_SCALE: '0.0005',
        DEV_PAGES: 'true',
      })
      const product = await openProduct(server.url, await server.waitFor(DEV_PATH))
      await use({
        ...product,
        async restart() {
          await server.restart()
          // The development pages have another address after each start.
          this.devUrl = server.url + (await server.waitFor(DEV_PATH))
        },
      })
      await server.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  site: async ({}, use) => {
    let answer: { body: string; policy: string | undefined } = { body: '', policy: undefined }
    const server = createServer((_request, response) => {
      if (answer.policy) response.setHeader('Content-Security-Policy', answer.policy)
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(answer.body)
    })
    const port = await listen(server)
    await use({
      serve(body, policy) {
        answer = { body, policy }
        return `http://localhost:${port}/`
      },
    })
    server.closeAllConnections()
    server.close()
  },

  widget: async ({ page, product, site }, use) => {
    const host = page.locator('sohbet-widget')
    const panel = host.getByRole('dialog')
    const input = panel.locator('.composer textarea')
    const answers = panel.getByRole('log').locator('[part=assistant]')
    const open = async () => {
      await host.locator('[part=launcher]').click()
      await panel.waitFor()
    }
    const ask = async (question: string) => {
      await input.fill(question)
      await input.press('Enter')
    }
    const visit = async (policy?: string) => {
      await page.goto(site.serve(pageWith(tag(product)), policy))
      await open()
    }
    await use({
      launcher: host.locator('[part=launcher]'),
      panel,
      input,
      answers,
      open,
      visit,
      async begin(policy) {
        await visit(policy)
        await ask('Kargo ücreti ne kadar?')
        await expect(answers).toHaveCount(1)
      },
      ask,
      async menu(item) {
        await panel.locator('.more').click()
        await panel.getByRole('menuitem', { name: item }).click()
      },
      async session() {
        const read = () => page.evaluate(() => localStorage.getItem('sohbet:demo:session'))
        await expect.poll(read).not.toBeNull()
        return (await read()) ?? ''
      },
    })
  },

  // Pages that a test opened beside its own would go on listening while the next tests run.
  others: [
    async ({ browser, context }, use) => {
      await use(undefined)
      const others = browser.contexts().filter((each) => each !== context)
      await Promise.all(others.map((each) => each.close()))
    },
    { auto: true },
  ],

  // Errors that a page's owner would find in the console or in the reports of the policy.
  faults: [
    async ({ page }, use) => {
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) faults.push(message.text())
      })
      await use(faults)
    },
    { auto: true },
  ],
})

export { expect }

/** A page like any other, with the tag in it. */
export function pageWith(script: string, language = 'tr'): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title></head>
    <body><main><h1>Shop</h1><p><a href="#more">More</a></p></main>${script}</body></html>`
}

/** Opens the widget in another tab of the same browser; returns the tab and the widget's panel. */
export async function openInNewTab(
  page: Page,
  address: string,
): Promise<{ tab: Page; panel: Locator }> {
  const tab = await page.context().newPage()
  await tab.goto(address)
  const widget = tab.locator('sohbet-widget')
  await widget.locator('[part=launcher]').click()
  return { tab, panel: widget.getByRole('dialog') }
}

/** axe on a page without frames; for those it would open a blank page on every look. */
export function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode()
}

/** The keys of the page's local and session storage. */
export async function stored(page: Page): Promise<string[]> {
  return page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
}

async function openProduct(url: string, devPath: string): Promise<Omit<Product, 'restart'>> {
  const post = async <Body>(path: string, body: object, token?: string): Promise<Body> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  const signIn = async (who: { email: string; password: string }): Promise<string> => {
    const { email, password } = who
    const answer = await post<{ access_token: string }>('/api/v1/auth/token', { email, password })
    return answer.access_token
  }
  const poor = { email: 'poor@example.com', name: 'Poor', password: 'a long password' }
  const opened = { name: 'Poor', plan: 'klinik_pro', locale: 'en', owner: poor, monthly_credits: 0 }
  await post('/api/v1/operator/workspaces', opened, OPERATOR_TOKEN)
  const poorTenant = 'poor-shop'
  const tenant = { tenant_id: poorTenant, name: 'Poor shop', locale: 'en' }
  await post('/api/v1/tenants', tenant, await signIn(poor))
  const token = await signIn(OWNER)
  const product = {
    url,
    devUrl: url + devPath,
    tenant: 'demo',
    poorTenant,
    async ask<Body>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Body> {
      const response = await fetch(url + path, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body ? { 'Content-Type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${text}`)
      return JSON.parse(text || 'null')
    },
  }
  // Somebody is always there, whatever day it is.
  await product.ask('/api/v1/tenants/demo', { office_hours: {} }, 'PATCH')
  return product
}
