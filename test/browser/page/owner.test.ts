import { SignJWT } from 'jose'
import { expect, pageWith, type Product, stored, strictPolicy, tag, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** A visitor that a page presents, after their first message, as the team sees them. */
interface Shown {
  identity: { name: string | null; subject: string | null; is_verified: boolean } | null
}

/** Applies the tenant's page rules for as long as the test runs. */
async function withRules(product: Product, rules: object, run: () => Promise<void>): Promise<void> {
  const { theme } = await product.ask<{ theme: object }>('/api/v1/tenants/demo')
  await product.ask('/api/v1/tenants/demo', { theme: { ...theme, page: rules } }, 'PATCH')
  try {
    await run()
  } finally {
    await product.ask('/api/v1/tenants/demo', { theme }, 'PATCH')
  }
}

test('tells the team who the site’s server says that the visitor is, and who only the page says', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  const { identity_secret } = await product.ask<{ identity_secret: string }>(
    '/api/v1/tenants/demo/identity-secret',
  )
  const token = await new SignJWT({ sub: 'customer-7', name: 'Ayşe Yılmaz' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(identity_secret))
  const shownAs = async (identity: object): Promise<Shown['identity']> => {
    const script = `<script nonce="page">
      window.Sohbet = window.Sohbet || []
      Sohbet.push(['identify', ${JSON.stringify(identity)}])
      Sohbet.push(['send', 'Kargo ücreti ne kadar?'])
    </script>`
    await page.goto(site.serve(pageWith(script + tag(product)), strictPolicy(product)))
    await expect(widget.answers).toHaveCount(1)
    const session = await page.evaluate<string>(`localStorage['sohbet:demo:session']`)
    let shown: Shown['identity'] = null
    await expect
      .poll(async () => {
        shown = (await product.ask<Shown>(`/api/v1/inbox/${session}`)).identity
        return shown?.name ?? null
      })
      .not.toBe(null)
    await page.evaluate('localStorage.clear()')
    return shown
  }
  expect(await shownAs({ name: 'Somebody', token })).toMatchObject({
    name: 'Ayşe Yılmaz',
    subject: 'customer-7',
    is_verified: true,
  })
  expect(await shownAs({ name: 'Somebody' })).toMatchObject({
    name: 'Somebody',
    subject: null,
    is_verified: false,
  })
  expect(faults).toEqual([])
})

test('shows itself only where the tenant wants it', async ({ page, product, site, widget }) => {
  await withRules(product, { show_on: ['/cups/*'], hide_on: ['/cups/old*'] }, async () => {
    await page.goto(site.serve(pageWith(tag(product))))
    await expect(widget.launcher).toBeHidden()
    await page.goto(`${new URL(page.url()).origin}/cups/blue`)
    await expect(widget.launcher).toBeVisible()
    await page.evaluate(() => history.pushState(null, '', '/cups/old-blue'))
    await expect(widget.launcher).toBeHidden()
  })
})

test('shows itself nowhere else even for a moment where the page hides it first', async ({
  page,
  product,
  site,
  widget,
}) => {
  const hidden = '<script>(window.Sohbet = window.Sohbet || []).push(["hide"])</script>'
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const look = (): void => {
      const launcher = document.querySelector('sohbet-widget')?.shadowRoot?.querySelector('button')
      if (launcher?.checkVisibility()) seen.push(location.pathname)
      requestAnimationFrame(look)
    }
    look()
  })
  await withRules(product, { show_on: ['/cups/*'] }, async () => {
    const address = site.serve(pageWith(hidden + tag(product)))
    await page.goto(address, { waitUntil: 'networkidle' })
    await expect(widget.launcher).toBeHidden()
    expect(await page.evaluate('seen')).toEqual([])
    await page.goto(`${address}cups/blue`)
    await expect(widget.launcher).toBeVisible()
  })
})

test('invites a visitor who is about to leave, once, and nobody where the rule is off', async ({
  page,
  product,
  site,
  widget,
}) => {
  const leave = () =>
    page.evaluate(() => document.dispatchEvent(new MouseEvent('mouseleave', { clientY: -1 })))
  const words = page.getByRole('button', { name: 'Bir sorunuz mu var?' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  // The tenant's settings change in the meantime.
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.enable')
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.goto(site.serve(pageWith(tag(product))))
  await expect(widget.launcher).toBeVisible()
  await leave()
  await expect(words).toHaveCount(0)
  expect(asked.filter((path) => path.endsWith('/page.js'))).toEqual([])

  const invitation = { text: 'Bir sorunuz mu var?', on_exit: true }
  await withRules(product, { invitation }, async () => {
    await page.reload({ waitUntil: 'networkidle' })
    await expect(words).toHaveCount(0)
    // Nobody is seen leaving before the widget has read its settings, and it reads them late.
    await expect
      .poll(async () => {
        await leave()
        return words.isVisible()
      })
      .toBe(true)
    await page.getByRole('button', { name: 'Kapat' }).click()
    await expect(words).toHaveCount(0)
    await page.reload({ waitUntil: 'networkidle' })
    await leave()
    await expect(widget.launcher).toBeVisible()
    await expect(words).toHaveCount(0)
    expect(await stored(page)).toEqual(['sohbet:demo:dismissed'])
  })
})

test('tells the owner what it cost the page, without a cookie or a name', async ({
  context,
  page,
  product,
  site,
  widget,
}) => {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/analytics/events')) bodies.push(request.postDataJSON())
  })
  // One part that cannot be had; the browser notes that a moment after the request.
  await page.route('**/tr-lazy.js', (route) => route.abort())
  const hasNoted = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/tr-lazy.js')),
    )
  const leave = async () => {
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      dispatchEvent(new Event('visibilitychange'))
    })
  }
  await widget.visit()
  await leave()
  expect(bodies).toEqual([])

  const told = (await product.ask<Summary>('/api/v1/analytics/summary')).events
  expect(told.find(({ type }) => type === 'widget.cost')).toBeUndefined()
  await withRules(product, { report_cost: true }, async () => {
    await page.goto(site.serve(pageWith(tag(product))), { waitUntil: 'networkidle' })
    await widget.open()
    await expect.poll(hasNoted).toBe(true)
    await leave()
    await leave()
    await expect.poll(() => bodies.length).toBe(1)
  })
  expect(bodies).toEqual([
    {
      tenant_id: 'demo',
      events: [
        {
          type: 'widget.cost',
          at: expect.any(String),
          props: expect.objectContaining({ shift: 0 }),
        },
      ],
    },
  ])
  expect(await context.cookies()).toEqual([])
  const readCost = async (): Promise<Record<string, number>> => {
    const { numbers } = await product.ask<Summary>('/api/v1/analytics/summary?tenant_id=demo')
    const costs = numbers.filter(({ type }) => type === 'widget.cost')
    return Object.fromEntries(costs.map(({ name, average }) => [name, average]))
  }
  // The page does not wait for the answer to what it sends when it is left.
  await expect.poll(readCost).toMatchObject({ shift: 0, failed: 1, requests: expect.any(Number) })
  const cost = await readCost()
  expect(cost['bytes']).toBeGreaterThan(1_000)
  expect(cost['bytes']).toBeLessThan(60_000)
})

interface Summary {
  events: { type: string; count: number }[]
  numbers: { type: string; name: string; average: number }[]
}
