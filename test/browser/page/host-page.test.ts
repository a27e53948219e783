import { BANNER, expectClear, isClear } from './overlap.ts'
import { expect, pageWith, stored, strictPolicy, tag, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('serves several tenants on one page, each by its own name', async ({
  page,
  product,
  site,
  faults,
}) => {
  const second = tag(product, `data-tenant="${product.poorTenant}" data-locale="en"`)
  await page.goto(site.serve(pageWith(tag(product) + second), strictPolicy(product)))
  const hosts = page.locator('sohbet-widget')
  await expect(hosts).toHaveCount(2)
  const boxes = async () => [
    await hosts.nth(0).locator('[part=launcher]').boundingBox(),
    await hosts.nth(1).locator('[part=launcher]').boundingBox(),
  ]
  await expect
    .poll(async () => {
      const [one = null, other = null] = await boxes()
      return isClear(one, other)
    })
    .toBe(true)
  await page.evaluate(`Sohbet.of['${product.poorTenant}'].open()`)
  await expect(page.getByRole('dialog', { name: 'Poor shop' })).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Fincan' })).toBeHidden()
  await page.evaluate('Sohbet.of.demo.destroy()')
  await expect(hosts).toHaveCount(1)
  expect(faults).toEqual([])
})

test('leaves nothing after destroy, and can come again', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.addInitScript(() => {
    const listening = new Map<string, number>()
    const count = (type: string, by: number) => listening.set(type, (listening.get(type) ?? 0) + by)
    const add = window.addEventListener
    const timers = new Set<unknown>()
    const start = window.setInterval.bind(window)
    const stop = window.clearInterval.bind(window)
    const channels = new Set<BroadcastChannel>()
    const observers = new Set<MutationObserver>()
    Object.assign(window, {
      BroadcastChannel: class extends BroadcastChannel {
        constructor(name: string) {
          super(name)
          channels.add(this)
        }
        override close(): void {
          channels.delete(this)
          super.close()
        }
      },
      MutationObserver: class extends MutationObserver {
        override observe(...given: Parameters<MutationObserver['observe']>): void {
          if (given[0] instanceof ShadowRoot) observers.add(this)
          super.observe(...given)
        }
        override disconnect(): void {
          observers.delete(this)
          super.disconnect()
        }
      },
      left: () => ({
        channels: channels.size,
        observers: observers.size,
        listeners: [...listening].filter(([, number]) => number > 0).map(([type]) => type),
        timers: timers.size,
      }),
      setInterval: (...given: Parameters<typeof start>) => {
        const timer = start(...given)
        timers.add(timer)
        return timer
      },
      clearInterval: (timer: number) => {
        timers.delete(timer)
        stop(timer)
      },
      addEventListener: (
        type: string,
        listener: EventListener,
        options?: AddEventListenerOptions,
      ) => {
        // The test's own tools listen too.
        const isOurs = /widget\.js|\/assets\//.test(new Error('here').stack ?? '')
        if (isOurs) count(type, 1)
        if (isOurs) options?.signal?.addEventListener('abort', () => count(type, -1))
        if (isOurs && options?.once) add.call(window, type, () => count(type, -1), options)
        add.call(window, type, listener, options)
      },
    })
  })
  // With a banner, so that what keeps clear of it runs as well.
  await page.goto(site.serve(pageWith(BANNER + tag(product))))
  await expectClear(page, '#banner')
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  await widget.menu('Verileriniz')
  const before = await page.evaluate(() => document.adoptedStyleSheets.length)
  const busy = await page.evaluate<{ listeners: string[]; observers: number }>('left()')
  expect(busy.listeners).toContain('pagehide')
  expect(busy.observers).toBeGreaterThan(0)
  await page.evaluate('Sohbet.destroy()')
  await expect(page.locator('sohbet-widget')).toHaveCount(0)
  const nothing = { listeners: [], timers: 0, channels: 0, observers: 0 }
  await expect.poll(() => page.evaluate('left()')).toEqual(nothing)
  expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(before)
  expect(await page.evaluate('typeof Sohbet')).toBe('undefined')

  await page.evaluate((source) => {
    const script = document.createElement('script')
    script.src = source
    script.dataset['tenant'] = 'demo'
    document.body.append(script)
  }, `${product.url}/widget.js`)
  await widget.open()
  await expect(widget.answers).toHaveCount(1)
})

test('stays, with its conversation, while a single-page app changes the page', async ({
  page,
  widget,
}) => {
  await widget.begin()
  await widget.input.fill('Peki')
  await page.evaluate(() => {
    history.pushState(null, '', '/cups')
    document.title = 'Cups'
    document.body.replaceChildren(document.createElement('main'))
  })
  await expect(widget.input).toHaveValue('Peki')
  await widget.input.press('Enter')
  await expect(widget.answers).toHaveCount(2)
  await expect(page).toHaveTitle('Cups')
})

test('shows itself on the pages that the tenant named, and invites there', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  const invitation = { text: 'Size yardımcı olalım mı?', after_seconds: 1 }
  const rules = { hide_on: ['/checkout*'], invitation }
  const before = await product.ask<{ theme: object }>('/api/v1/tenants/demo')
  await product.ask('/api/v1/tenants/demo', { theme: { ...before.theme, page: rules } }, 'PATCH')
  try {
    await page.goto(site.serve(pageWith(tag(product)), strictPolicy(product)))
    const words = page.getByRole('button', { name: 'Size yardımcı olalım mı?' })
    await expect(words).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(words).toBeHidden()
    await page.evaluate(() => history.pushState(null, '', '/checkout/pay'))
    await expect(widget.launcher).toBeHidden()
    await page.evaluate(() => history.pushState(null, '', '/cups'))
    await expect(widget.launcher).toBeVisible()
    await page.reload()
    await expect(widget.launcher).toBeVisible()
    expect(await stored(page)).toEqual(['sohbet:demo:dismissed'])
    expect(faults).toEqual([])
  } finally {
    await product.ask('/api/v1/tenants/demo', { theme: before.theme }, 'PATCH')
  }
})

test('opens the page of a source at the sentence', async ({ widget }) => {
  await widget.visit()
  await widget.ask('Kargo ücreti ne kadar?')
  const source = widget.answers.getByRole('link').first()
  await expect(source).toHaveAttribute('href', /\/demo#kargo[\w-]*:~:text=[^-]+$/)
  const sentence = (await source.getAttribute('href'))?.split(':~:text=')[1] ?? ''
  await expect(widget.answers).toContainText(decodeURIComponent(sentence))
})

test('speaks Arabic from right to left, and German', async ({ page, product, site, widget }) => {
  const arabic = tag(product, 'data-tenant="demo" data-locale="ar"')
  await page.goto(site.serve(pageWith(arabic, 'ar')))
  await expect(widget.launcher).toHaveAccessibleName(/Chat|محادثة/)
  await widget.open()
  await expect(widget.panel).toHaveAttribute('dir', 'rtl')
  await expect(widget.panel).toHaveAttribute('lang', 'ar')
  // The placeholder, too.
  await expect(widget.input).toHaveCSS('direction', 'rtl')
  const send = await widget.panel.locator('.send').boundingBox()
  const input = await widget.input.boundingBox()
  expect(send?.x).toBeLessThan(input?.x ?? 0)

  const german = tag(product, 'data-tenant="demo" data-locale="de"')
  await page.goto(site.serve(pageWith(german, 'de')))
  await widget.open()
  await expect(widget.panel.getByLabel('Ihre Nachricht')).toBeFocused()
})

test('waits for a slow network and opens then', async ({ page, product, site, widget }) => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/main.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(site.serve(pageWith(tag(product))))
  await widget.launcher.click()
  await expect(widget.panel).toHaveCount(0)
  release()
  await expect(widget.panel).toBeVisible()
  await expect(widget.input).toBeFocused()
})

test('talks in a frame that may run scripts of its site, and opens in any', async ({
  page,
  product,
  site,
}) => {
  const inner = pageWith(tag(product)).replaceAll('"', '&quot;')
  const frame = (rights: string): string =>
    `<iframe sandbox="${rights}" style="width:600px;height:600px" srcdoc="${inner}"></iframe>`
  const rights = 'allow-scripts allow-same-origin'
  await page.goto(site.serve(`<!doctype html>${frame(rights)}${frame('allow-scripts')}`))
  const host = page.frameLocator('iframe').first().locator('sohbet-widget')
  await host.locator('[part=launcher]').click()
  await host.locator('textarea').fill('Kargo ücreti ne kadar?')
  await host.locator('textarea').press('Enter')
  await expect(host.locator('[part=assistant]')).toContainText('79 TL')
  // It has no origin, and the API serves pages that have one.
  const other = page.frameLocator('iframe').last().locator('sohbet-widget')
  await other.locator('[part=launcher]').click()
  await expect(other.locator('textarea')).toBeVisible()
})
