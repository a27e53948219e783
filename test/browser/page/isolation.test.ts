import { fileURLToPath } from 'node:url'
import { expect, pageWith, strictPolicy, tag, test } from '../fixtures.ts'

const BOOTSTRAP = fileURLToPath(import.meta.resolve('bootstrap/dist/js/bootstrap.bundle.min.js'))

// Reduced motion: an animated element has no fixed place.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const HOSTILE = `<style>
  * { all: unset !important; }
  html { font-size: 40px; direction: rtl; }
  sohbet-widget { display: none !important; opacity: 0 !important; transform: scale(3) !important; }
  button, textarea, p, div { color: red !important; padding: 50px !important; font-size: 3rem !important; }
</style>`

test('looks the same on a page that resets and repaints everything', async ({
  page,
  product,
  site,
  widget,
}) => {
  const looks = async () => {
    return {
      launcher: await widget.launcher.boundingBox(),
      panel: await widget.panel.boundingBox(),
      input: await widget.input.boundingBox(),
      text: await widget.panel.locator('.greeting').evaluate((text) => {
        const { color, font, direction, padding, opacity } = getComputedStyle(text)
        return { color, font, direction, padding, opacity }
      }),
    }
  }
  await widget.visit()
  const usual = await looks()
  await page.goto(site.serve(pageWith(HOSTILE + tag(product))))
  await widget.open()
  expect(await looks()).toEqual(usual)
})

test('lies above everything and where it belongs on a page that transforms and stacks', async ({
  page,
  product,
  site,
  widget,
}) => {
  const stack = `<style>body { transform: scale(0.5) rotate(2deg); filter: blur(1px); zoom: 2; }
    #war { position: fixed; inset: 0; z-index: 2147483647; background: #fff; }</style>
    <div id="war"></div>`
  await widget.visit()
  const usual = await widget.panel.boundingBox()
  await page.goto(site.serve(pageWith(tag(product) + stack)))
  await widget.open()
  expect(await widget.panel.boundingBox()).toEqual(usual)
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toContainText('79 TL')
})

test('moves nothing on the page', async ({ page, widget }) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(entry.startTime)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await widget.begin()
  expect(await page.evaluate<number[]>('shifts')).toEqual([])
  const globals = await page.evaluate(() => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const usual = new Set(Object.keys(frame.contentWindow ?? {}))
    frame.remove()
    return Object.keys(globalThis).filter((name) => !usual.has(name))
  })
  expect(globals.toSorted()).toEqual(['Sohbet'])
})

test('does what the page queued before it had loaded, and tells the page', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  const script = `<script nonce="page">
    window.heard = []
    window.Sohbet = window.Sohbet || []
    for (const name of ['ready', 'opened', 'closed', 'message:sent', 'message:received'])
      Sohbet.push(['on', name, (detail) => heard.push([name, detail && detail.text])])
    Sohbet.push(['identify', { name: 'Ayşe', email: 'ayse@example.com' }])
    Sohbet.push(['send', 'Zürafalar kaç yıl yaşar?'])
  </script>`
  await page.goto(site.serve(pageWith(script + tag(product)), strictPolicy(product)))
  await expect(widget.answers).toHaveCount(1)
  await page.evaluate('Sohbet.close()')
  await expect(widget.panel).toBeHidden()
  const heard = await page.evaluate<[string, string?][]>('heard')
  expect(heard.map(([name]) => name)).toEqual([
    'ready',
    'opened',
    'message:sent',
    'message:received',
    'closed',
  ])
  expect(heard[2]?.[1]).toBe('Zürafalar kaç yıl yaşar?')

  await page.evaluate('Sohbet.toggle()')
  await widget.panel.getByRole('button', { name: 'İletişim bilgisi bırak' }).click()
  await expect(widget.panel.getByLabel('Adınız soyadınız')).toHaveValue('Ayşe')
  await page.evaluate('Sohbet.hide()')
  await expect(widget.launcher).toBeHidden()
  await page.evaluate('Sohbet.show()')
  await expect(widget.launcher).toBeVisible()
  await page.evaluate('Sohbet.destroy()')
  await expect(page.locator('sohbet-widget')).toHaveCount(0)
  expect(await page.evaluate('typeof Sohbet')).toBe('undefined')
  expect(faults).toEqual([])
})

test('counts on the launcher what came while it was closed', async ({ page, widget }) => {
  await widget.visit()
  await widget.input.fill('Kargo ücreti ne kadar?')
  await page.evaluate(() => {
    const root = document.querySelector('sohbet-widget')?.shadowRoot
    root?.querySelector<HTMLElement>('.send')?.click()
    root?.querySelector<HTMLElement>('.close')?.click()
  })
  await expect(widget.launcher).toHaveAccessibleName('Sohbet, 1 yeni mesaj')
  await widget.open()
  await expect(widget.launcher).toHaveAccessibleName('Sohbeti kapat')
})

test('says in the console what is wrong with the tag, once, and goes on as far as it can', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  await page.goto(site.serve(pageWith(tag(product, ''))))
  await expect.poll(() => faults).toEqual(['Sohbet: check data-tenant'])
  await expect(page.locator('sohbet-widget')).toHaveCount(0)

  faults.length = 0
  const wrong = 'data-tenant="demo" data-theme="pink" data-position="top" data-locale="fr"'
  await page.goto(site.serve(pageWith(tag(product, wrong))))
  await widget.open()
  expect(faults).toEqual([
    'Sohbet: check data-theme',
    'Sohbet: check data-position',
    'Sohbet: check data-locale',
  ])
})

test('says in the console why it is not there, or cannot be used', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  const sentences = () => faults.filter((fault) => fault.startsWith('Sohbet: '))
  await page.goto(site.serve(pageWith(tag(product, 'data-tenant="demoo"'))))
  await expect
    .poll(sentences)
    .toEqual([`Sohbet: there is no tenant "demoo" at ${product.url}. Check data-tenant.`])
  await expect(page.locator('sohbet-widget')).toHaveCount(0)

  faults.length = 0
  const allowed_origins = ['https://www.example.com']
  await product.ask('/api/v1/tenants/demo', { allowed_origins }, 'PATCH')
  try {
    const address = site.serve(pageWith(tag(product)))
    await page.goto(address)
    await widget.launcher.click()
    const { origin } = new URL(address)
    await expect
      .poll(sentences)
      .toEqual([
        `Sohbet: the tenant "demo" does not allow pages of ${origin}. Add it to allowed_origins.`,
      ])
  } finally {
    await product.ask('/api/v1/tenants/demo', { allowed_origins: [] }, 'PATCH')
  }

  faults.length = 0
  const frame = `<iframe sandbox="allow-scripts" style="width:500px;height:500px" srcdoc='${tag(product)}'></iframe>`
  await page.goto(site.serve(frame))
  await page.frameLocator('iframe').locator('sohbet-widget [part=launcher]').click()
  await expect.poll(sentences).toEqual([expect.stringContaining('a page without an origin')])
})

test('has one control that closes, also where the page hides the launcher', async ({
  page,
  widget,
}) => {
  await widget.visit()
  const close = widget.panel.getByRole('button', { name: 'Sohbeti kapat' })
  await expect(widget.launcher).toHaveAccessibleName('Sohbeti kapat')
  await expect(close).toHaveCount(0)
  await page.evaluate('Sohbet.hide()')
  await close.click()
  await expect(widget.panel).toBeHidden()
})

test('is there once, however often the tag is', async ({ page, product, site, widget, faults }) => {
  await page.goto(site.serve(pageWith(tag(product) + tag(product)), strictPolicy(product)))
  await widget.open()
  await expect(page.locator('sohbet-widget')).toHaveCount(1)
  expect(faults).toEqual([])
})

test('keeps what is typed from the shortcuts of the page', async ({
  page,
  product,
  site,
  widget,
}) => {
  const script = `<script>window.keys = []; addEventListener('keydown', (event) => keys.push(event.key))</script>`
  await page.goto(site.serve(pageWith(script + tag(product))))
  await widget.open()
  await widget.input.pressSequentially('s/k')
  expect(await page.evaluate('keys')).toEqual([])
})

test('can be written in beside an open dialog of Bootstrap, which keeps the focus', async ({
  page,
  product,
  site,
  widget,
}) => {
  const dialog = `<div class="modal" id="modal" tabindex="-1" role="dialog" aria-label="Fatura">
    <div class="modal-dialog"><div class="modal-content"><input aria-label="Ad"></div></div></div>`
  await page.goto(site.serve(pageWith(dialog + tag(product))))
  await page.addScriptTag({ path: BOOTSTRAP })
  await page.evaluate(`new bootstrap.Modal('#modal').show()`)
  const field = page.getByLabel('Ad', { exact: true })
  await field.fill('Ayşe')
  await widget.open()
  await widget.input.pressSequentially('Merhaba')
  await expect(widget.input).toHaveValue('Merhaba')
  await expect(field).toHaveValue('Ayşe')
  await page.keyboard.press('Tab')
  await expect(widget.input).toHaveValue('Merhaba')
})

const BACKGROUND = 'margin:0;height:100vh;background:oklch(0.2 0.02 260)'
for (const [what, head, html, body] of [
  ['its color-scheme', '<style>:root{color-scheme:dark}</style>', '', ''],
  ['its attribute', '', 'data-bs-theme="dark"', ''],
  ['its class', '', '', 'class="theme-dark text-light"'],
  ['its background', '', 'class="dark:hidden"', `style="${BACKGROUND}"`],
] as const)
  test(`is as dark as the page by ${what}, whatever the system wants`, async ({
    page,
    product,
    site,
    widget,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(
      site.serve(`<!doctype html><html lang="tr" ${html}><head>${head}</head>
        <body ${body}>${tag(product)}</body></html>`),
    )
    await widget.open()
    await expect(widget.panel).toHaveCSS('color-scheme', 'dark')
    await page.evaluate(`document.documentElement.dataset.theme = 'light';
      document.documentElement.style.colorScheme = 'light'`)
    await expect(widget.panel).toHaveCSS('color-scheme', 'light')
  })

test('is as light as a page that says nothing, unless the page follows the system', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await widget.visit()
  await expect(widget.panel).toHaveCSS('color-scheme', 'light')
  const both = '<meta name="color-scheme" content="light dark">'
  await page.goto(site.serve(pageWith(both + tag(product))))
  await widget.open()
  await expect(widget.panel).toHaveCSS('color-scheme', 'light dark')
})

test('shows the demo shop with its chat', async ({ page, product, widget, faults }) => {
  await page.goto(`${product.url}/demo`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Sabahın ilk fincanı özel olsun.',
  )
  await page.getByRole('link', { name: 'English' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Make the first cup of the day a good one.',
  )
  await widget.open()
  await widget.ask('Do you ship to the United Kingdom?')
  await widget.answers
    .getByRole('link', { name: /Shipping/ })
    .first()
    .waitFor()
  expect(faults).toEqual([])
})
