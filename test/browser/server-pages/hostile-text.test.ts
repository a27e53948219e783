import type { BrowserContext, Page } from '@playwright/test'
import { HOSTILE_TEXTS } from '../../helpers/hostile/texts.ts'
import { expect, pageWith, type Product, tag, test } from '../fixtures.ts'
import { addVisitor, NAME, openSession, openShop, type Shop, TENANT } from './hostile-shop.ts'

/** Elements that a text could never need. */
const FOREIGN =
  'script:not([src]),iframe,object,embed,base,img,video,audio,source,math,marquee,animate,meta[http-equiv=refresh i]'

/** With what is written in the browser, fewer than a visitor may write in a minute. */
const EARLIER = HOSTILE_TEXTS.slice(0, 55)

// In order in one worker, so that the shop is filled once.
test.describe.configure({ mode: 'default' })

const shops = new WeakMap<Product, Promise<Shop>>()

function shopOf(product: Product): Promise<Shop> {
  const shop = shops.get(product) ?? openShop(product)
  shops.set(product, shop)
  return shop
}

/** Sees what runs or is loaded that should not. */
async function watch(context: BrowserContext): Promise<string[]> {
  const seen: string[] = []
  await context.exposeFunction('pwn', () => seen.push('pwn() was called'))
  await context.route('**evil.example/**', (route) => {
    seen.push(`${route.request().url()} was loaded`)
    return route.abort()
  })
  context.on('dialog', (dialog) => {
    seen.push(dialog.message())
    void dialog.dismiss()
  })
  return seen
}

/** Elements and addresses on a page, the widget's inside included, that came out of a text. */
function findForeign(page: Page): Promise<string[]> {
  return page.evaluate((foreign) => {
    const hosts = [...document.querySelectorAll('*')]
    const roots = [document, ...hosts.flatMap(({ shadowRoot }) => shadowRoot ?? [])]
    const addresses = new Set([
      'href',
      'src',
      'action',
      'formaction',
      'xlink:href',
      'data',
      'srcdoc',
    ])
    return roots
      .flatMap((root) => [...root.querySelectorAll('*')])
      .filter(
        (element) =>
          element.matches(foreign) ||
          [...element.attributes].some(
            ({ name, value }) =>
              name.startsWith('on') ||
              (addresses.has(name) &&
                !element.matches('link[rel=icon]') &&
                !/^(https?|mailto):/.test(new URL(value, location.href).protocol)) ||
              (name === 'style' && value.includes('evil')),
          ),
      )
      .map(({ outerHTML }) => outerHTML.slice(0, 200))
  }, FOREIGN)
}

async function expectHarmless(page: Page, seen: readonly string[]): Promise<void> {
  expect(await findForeign(page)).toEqual([])
  expect(seen).toEqual([])
}

const inNewContext = test.extend<{ open: { page: Page; seen: string[] } }>({
  // The policies of our pages would stop what the pages themselves let through.
  open: async ({ browser }, use) => {
    const context = await browser.newContext({ bypassCSP: true })
    const seen = await watch(context)
    await use({ page: await context.newPage(), seen })
    await context.close()
  },
})

inNewContext(
  'would notice: a page that lets such texts through is taken over',
  async ({ open }) => {
    const { page, seen } = open
    await page.setContent(HOSTILE_TEXTS.slice(0, 16).join('\n'))
    await expect.poll(() => seen).toContain('pwn() was called')
    expect((await findForeign(page)).length).toBeGreaterThan(5)
  },
)

inNewContext('shows what visitors write as they wrote it', async ({ product, site, open }) => {
  const shop = await shopOf(product)
  const { token, session } = await addVisitor(shop)
  for (const message of EARLIER) {
    const turn = { tenant_id: TENANT, session_id: session, message }
    await shop.call('/api/v1/chatbot/message', turn, token)
  }
  const { page, seen } = open
  await page.addInitScript(remember, { tenant: TENANT, token, session })
  await page.goto(site.serve(pageWith(tag(product, `data-tenant="${TENANT}"`), 'en')))
  const widget = page.locator('sohbet-widget')
  await widget.locator('[part=launcher]').click()
  const written = widget.locator('[part=visitor] .bubble')
  await expect(written).toHaveCount(EARLIER.length)
  const shown = await written.evaluateAll((all) => all.map(({ textContent }) => textContent))
  expect(shown).toEqual(EARLIER)
  await expectHarmless(page, seen)
  for (const message of HOSTILE_TEXTS.slice(-3)) {
    await widget.locator('.composer textarea').fill(message)
    await widget.locator('.composer textarea').press('Enter')
    await expect(written.last()).toHaveText(message)
  }
  await expectHarmless(page, seen)

  await page.context().addCookies([{ name: 'svc_chat', value: token, url: product.url }])
  await page.goto(`${product.url}/chat/${TENANT}`)
  await expect(page.locator('li.visitor').first()).toBeVisible()
  await expectHarmless(page, seen)
})

inNewContext('shows what operators and documents say as text', async ({ product, site, open }) => {
  const shop = await shopOf(product)
  const { token, session } = await addVisitor(shop)
  const base = `/api/v1/tenants/${TENANT}/knowledge`
  const asked = HOSTILE_TEXTS.slice(0, 50)
  for (const [at, text] of asked.entries()) {
    const content = `Topic${at} is sold with ${text} in every colour.`
    if (at % 3 > 0) {
      await shop.call(base, { kind: 'text', title: text, content, url: 'https://shop.example/x' })
      continue
    }
    const form = new FormData()
    form.append(
      'file',
      new Blob([content], { type: 'text/plain' }),
      `${text.replaceAll('/', '')}.txt`,
    )
    form.append('url', 'https://shop.example/x')
    await shop.call(base, form)
  }
  const said: string[] = []
  for (const at of asked.keys()) {
    const message = `How is topic${at} sold?`
    const turn = { tenant_id: TENANT, session_id: session, message }
    const path = '/api/v1/chatbot/message'
    const { reply } = await shop.call<{ reply: { content: string } | null }>(path, turn, token)
    said.push(reply?.content ?? '')
  }
  expect(said.filter((text) => text.includes('pwn()')).length).toBeGreaterThan(20)
  const { page, seen } = open
  await page.addInitScript(remember, { tenant: TENANT, token, session })
  await page.goto(site.serve(pageWith(tag(product, `data-tenant="${TENANT}"`), 'en')))
  const widget = page.locator('sohbet-widget')
  await widget.locator('[part=launcher]').click()
  await expect(widget.locator('[part=assistant]')).toHaveCount(asked.length)
  await expectHarmless(page, seen)
  for (const text of HOSTILE_TEXTS) {
    await shop.call(`/api/v1/inbox/${session}/messages`, { text })
  }
  await shop.call(`/api/v1/inbox/${session}/messages`, { text: 'The last one.' })
  await expect(widget.getByRole('log').getByText('The last one.')).toBeVisible()
  await expectHarmless(page, seen)
  await page.context().addCookies([{ name: 'svc_chat', value: token, url: product.url }])
  await page.goto(`${product.url}/chat/${TENANT}`)
  await expect(page.getByText('The last one.')).toBeVisible()
  await expectHarmless(page, seen)
})

inNewContext(
  'shows names as text on pages and in mails, and in files',
  async ({ product, open }) => {
    const shop = await shopOf(product)
    const { page, seen } = open
    const path = '/api/v1/chatbot/sessions'
    const { session_id: first } = await openSession(shop)
    const { data: slots } = await shop.call<{ data: { start: string }[] }>(`${path}/${first}/slots`)
    const links: string[] = []
    for (const [at, text] of HOSTILE_TEXTS.entries()) {
      const { session_id } = await openSession(shop)
      const name = text.replaceAll('\n', ' ')
      const email = `visitor${at}@example.com`
      const lead = { name, phone: '+905321234567', email, interest: text, consent: true }
      await shop.call(`${path}/${session_id}/lead`, lead)
      if (at % 3 > 0) continue
      const booking = {
        name,
        // Not the first, which may be over in the next moment.
        start: slots[at + 1]?.start,
        service: NAME,
        email,
      }
      const booked = await shop.call<{ manage_url: string }>(
        `${path}/${session_id}/appointment`,
        booking,
      )
      links.push(booked.manage_url)
    }
    for (const link of links) {
      await page.goto(product.url + new URL(link).pathname)
      await expect(page.getByRole('heading')).toHaveText(NAME)
      await expectHarmless(page, seen)
    }
    await page.goto(`${product.devUrl}/mail`)
    await expect(page.locator('pre').first()).toBeVisible()
    await expectHarmless(page, seen)
    for (const file of ['leads.csv', 'appointments.csv']) {
      const answer = await fetch(`${product.url}/api/v1/${file}`, {
        headers: { Authorization: `Bearer ${shop.token}` },
      })
      expect(answer.headers.get('content-type')).toMatch(/^text\/csv/)
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
      const cells = [...(await answer.text()).matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,\r\n"]*)/gm)]
      expect(cells.length).toBeGreaterThan(HOSTILE_TEXTS.length * 3)
      // A phone number in E.164 is no formula.
      const formulas = cells.filter(([, cell = '']) =>
        /^"?[\s]*(?!\+\d{7,15}"?$)[=+\-@]/.test(cell),
      )
      expect(formulas).toEqual([])
    }
  },
)

inNewContext('shows what webhooks carry as text to developers', async ({ product, open }) => {
  const { page, seen } = open
  for (const text of HOSTILE_TEXTS.slice(0, 40)) {
    const body = JSON.stringify({ event: text, data: { text } })
    const headers = { 'Content-Type': 'text/html', 'X-SVC-Event': encodeURIComponent(text) }
    await fetch(`${product.devUrl}/hooks/${encodeURIComponent(text)}`, {
      method: 'POST',
      body,
      headers,
    })
  }
  await page.goto(`${product.devUrl}/hooks`)
  await expect(page.getByText('pwn()').first()).toBeAttached()
  await expectHarmless(page, seen)
})

/** Runs in the page: what the widget keeps of an earlier visit. */
function remember({
  tenant,
  token,
  session,
}: Record<'tenant' | 'token' | 'session', string>): void {
  localStorage.setItem(`sohbet:${tenant}:token`, `${Date.now()} ${token}`)
  localStorage.setItem(`sohbet:${tenant}:session`, session)
}
