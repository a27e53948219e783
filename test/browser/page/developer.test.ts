import { expect, pageWith, type Product, strictPolicy, tag, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('has the calls that its types name, and no others', async ({
  page,
  product,
  site,
  widget,
}) => {
  const types = await (await fetch(`${product.url}/widget.d.ts`)).text()
  const namesIn = (name: string) =>
    [
      ...(RegExp(`interface ${name}[^{]*\\{([^]*?)\\n  \\}`).exec(types)?.[1] ?? '').matchAll(
        /^    (\w+)[(<]/gm,
      ),
    ].map(([, verb]) => verb ?? '')
  await page.goto(site.serve(pageWith(tag(product))))
  await expect(widget.launcher).toBeVisible()
  const calls = await page.evaluate<string[]>(
    `Object.keys(Sohbet).filter((name) => typeof Sohbet[name] === 'function')`,
  )
  const named = [...namesIn('Calls'), ...new Set(namesIn('Pushing'))]
  expect(calls.toSorted()).toEqual(named.toSorted())
  // The object's methods also work once the panel has loaded.
  await widget.open()
  await page.evaluate(`for (const verb of ['close', 'toggle', 'hide', 'show']) Sohbet[verb]()`)
  await expect(widget.panel).toBeVisible()
})

interface Pin {
  path: string
  integrity: string
}

/** The tag of a page that pins the loader, or an adapter's, as `/widget.json` says. */
async function pinnedTag(product: Product, adapter?: string): Promise<string> {
  const response = await fetch(`${product.url}/widget.json`)
  const pins: Pin & { adapters: Record<string, Pin> } = await response.json()
  const { path, integrity } = pins.adapters[adapter ?? ''] ?? pins
  return `<script src="${product.url}${path}" integrity="${integrity}" crossorigin data-tenant="demo" nonce="page" async></script>`
}

test('runs pinned by its hash, all the way to an answer', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(site.serve(pageWith(await pinnedTag(product)), strictPolicy(product)))
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  const scripts = asked.filter((path) => path.endsWith('.js'))
  expect(
    scripts.filter((path) => !/^\/assets\/(widget-\w{6}|\w{6}\/[\w-]+)\.js$/.test(path)),
  ).toEqual([])
  expect(faults).toEqual([])
})

test('runs pinned with the calls of another widget', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const pinned = await pinnedTag(product, 'intercom')
  await page.goto(site.serve(pageWith(pinned), strictPolicy(product)))
  await page.waitForFunction('window.Intercom')
  await page.evaluate(`Intercom('boot'), Intercom('show')`)
  await expect(widget.panel).toBeVisible()
  const scripts = asked.filter((path) => path.endsWith('.js'))
  expect(scripts[0]).toMatch(/^\/assets\/widget-intercom-\w{6}\.js$/)
  expect(scripts.slice(1).filter((path) => !/^\/assets\/\w{6}\//.test(path))).toEqual([])
  expect(faults).toEqual([])
})

test('does not run once somebody has changed the pinned loader', async ({
  page,
  product,
  site,
  faults,
}) => {
  await page.route('**/assets/widget-*.js', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `${await response.text()};window.isTampered=true` })
  })
  await page.goto(site.serve(pageWith(await pinnedTag(product)), strictPolicy(product)))
  await expect.poll(() => faults.join()).toContain('integrity')
  await expect(page.getByRole('heading', { name: 'Shop' })).toBeVisible()
  await expect(page.locator('sohbet-widget')).toHaveCount(0)
  expect(await page.evaluate('[typeof Sohbet, typeof isTampered]')).toEqual([
    'undefined',
    'undefined',
  ])
})

test('tells the page how many messages nobody has seen, and when there are none any more', async ({
  page,
  product,
  site,
  widget,
}) => {
  const script = `<script>
    window.counts = []
    window.Sohbet = [['on', 'unread', ({ count }) => counts.push(count)]]
  </script>`
  await page.goto(site.serve(pageWith(script + tag(product))))
  await widget.open()
  await widget.input.fill('Kargo ücreti ne kadar?')
  await page.evaluate(() => {
    const root = document.querySelector('sohbet-widget')?.shadowRoot
    root?.querySelector<HTMLElement>('.send')?.click()
    root?.querySelector<HTMLElement>('.close')?.click()
  })
  await expect.poll(() => page.evaluate('counts')).toEqual([1])
  await widget.open()
  await expect.poll(() => page.evaluate('counts')).toEqual([1, 0])
})
