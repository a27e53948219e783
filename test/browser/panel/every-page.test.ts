import type { BrowserContextOptions, Page } from '@playwright/test'
import { addressOf, maySee, PAGES, type Role } from '../../../panel/app/pages.ts'
import { expect, OPERATOR_TOKEN, test, type Product } from '../fixtures.ts'
import { accessFaults, addOperator, openPanel, OWNER, scrollsSideways } from './people.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }
/** Signs of missing words or data on a page. */
const MISSING = /\bundefined\b|\bNaN\b|\[object |Invalid Date|\{\{/

/** Every look once, so that each page is read in both languages, both sizes and both schemes. */
const LOOKS = {
  tr: { locale: 'tr-TR', colorScheme: 'dark', viewport: PHONE },
  en: { locale: 'en-GB', colorScheme: 'light', viewport: DESKTOP },
} as const satisfies Record<string, BrowserContextOptions>

/** Rows that have a page of their own. */
async function fill(product: Product): Promise<void> {
  const session = await product.ask<{ session_id: string }>('/api/v1/chatbot/sessions', {
    tenant_id: product.tenant,
  })
  const path = `/api/v1/chatbot/sessions/${session.session_id}`
  const contact = { name: 'Elif', phone: '0532 123 45 67', email: 'elif@example.com' }
  await product.ask(`${path}/lead`, { ...contact, consent: true })
  const url = `http://127.0.0.1:9/${crypto.randomUUID()}`
  const rule = { name: 'To the CRM', event: 'lead.created', url }
  await product.ask('/api/v1/webhooks/rules-engine/rules', rule)
  const action = { name: 'Stock', when: 'Asks for stock.', url, answer: { say: 'In stock.' } }
  await product.ask(`/api/v1/tenants/${product.tenant}/actions`, action)
}

/** Goes there as a link does, without loading the panel again. */
async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(async (target) => {
    history.pushState(null, '', target)
    dispatchEvent(new PopStateEvent('popstate'))
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  }, path)
  await expect(page.locator('.skeleton')).toHaveCount(0)
}

/** The tabs of a page, and the page of the first row of its table. */
async function pathsOn(page: Page): Promise<string[]> {
  const links = page.locator(
    'main .tabs a, main tbody tr:first-child a.row-link, main .prompt-card:first-child',
  )
  return links.evaluateAll((found) =>
    found.map((link) => link.getAttribute('href') ?? '').filter((path) => path.startsWith('/')),
  )
}

/** As `accessFaults`, in a page that has axe from there and was not loaded again. */
async function accessFaultsAgain(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    interface Violation {
      id: string
      nodes: { html: string }[]
    }
    const axe: { run(options: object): Promise<{ violations: Violation[] }> } = Reflect.get(
      window,
      'axe',
    )
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}

/** Visits pages and what they lead to. Returns what is wrong, by path. */
async function walk(page: Page, paths: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const waiting = [...paths]
  const seen = new Set<string>()
  const looks = page.viewportSize() ?? DESKTOP
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue
    seen.add(path)
    await visit(page, path)
    await expect(page.locator('h1'), path).toHaveCount(1)
    await expect(page.locator('h1'), path).not.toBeEmpty()
    const faults = seen.size === 1 ? await accessFaults(page) : await accessFaultsAgain(page)
    const text = await page.locator('body').innerText()
    if (MISSING.test(text)) faults.push(`missing: ${MISSING.exec(text)?.[0]}`)
    if (await page.getByRole('alert').count()) faults.push('failed')
    waiting.push(...(await pathsOn(page)))
    for (const size of [looks === PHONE ? DESKTOP : PHONE, looks]) {
      await page.setViewportSize(size)
      if (await scrollsSideways(page)) faults.push(`scrolls sideways at ${size.width}`)
    }
    if (faults.length > 0) found[path] = faults
  }
  // A table or its tabs that are gone would make this pass.
  expect(seen.size).toBeGreaterThan(paths.length)
  return found
}

for (const role of ['owner', 'operator'] as const satisfies readonly Role[])
  for (const language of ['tr', 'en'] as const)
    test(`every page of ${role}s is whole in ${language}`, async ({ browser, product }) => {
      // Some fifty pages, each checked at two widths.
      test.slow()
      await fill(product)
      const login = role === 'owner' ? OWNER : await addOperator(product, 'Deniz')
      const { page, faults } = await openPanel(browser, product, '/', {
        login,
        ...LOOKS[language],
      })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      const pages = PAGES.filter(
        (entry) => entry.access === 'member' && maySee(entry, { user: { role } }),
      )
      const paths = pages.map((entry) => `/panel${addressOf(entry)}`.replace(/\/$/, ''))
      expect(await walk(page, paths)).toEqual({})
      expect(faults).toEqual([])
      await page.context().close()
    })

for (const language of ['tr', 'en'] as const)
  test(`the console of the installation is whole in ${language}`, async ({ browser, product }) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...LOOKS[language] })
    const answer = await context.request.post(`${product.url}/api/v1/operator/session`, {
      data: { token: OPERATOR_TOKEN },
      headers: { origin: product.url },
    })
    expect(answer.status()).toBe(204)
    const page = await context.newPage()
    await page.goto(`${product.url}/panel/operator`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await walk(page, ['/panel/operator'])).toEqual({})
    await context.close()
  })
