import { expect, pageWith, tag, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('asks for its settings when the page is idle, and on the next page not even that', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.addInitScript(() => {
    const waiting: IdleRequestCallback[] = []
    Object.assign(window, {
      waiting,
      requestIdleCallback: (callback: IdleRequestCallback) => waiting.push(callback),
    })
  })
  const asked: string[] = []
  page.on('response', (response) => {
    if (response.url().includes('/config?')) asked.push(response.url())
  })
  const address = site.serve(pageWith(tag(product)))
  await page.goto(address)
  await expect.poll(() => page.evaluate('waiting.length')).toBeGreaterThan(0)
  expect(asked).toEqual([])
  await page.evaluate('for (const callback of waiting.splice(0)) callback()')
  await expect.poll(() => asked.length).toBe(1)

  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.enable')
  const cached: boolean[] = []
  browser.on('Network.responseReceived', ({ response }) => {
    if (response.url.includes('/config?')) cached.push(response.fromDiskCache === true)
  })
  await page.reload()
  // Opened earlier, it does not wait for the page.
  await widget.open()
  await expect.poll(() => cached).toEqual([true])
})

test('is loaded on an idle page', async ({ page, product, site, widget }) => {
  const loaded = page.waitForResponse(/\/main\.js$/)
  await page.goto(site.serve(pageWith(tag(product))))
  await loaded
  await expect(widget.panel).toHaveCount(0)
})

test('is loaded on hover, by the focus and under a finger where data is saved', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  for (const reach of [
    () => widget.launcher.hover(),
    () => widget.launcher.focus(),
    () => widget.launcher.dispatchEvent('pointerenter', { pointerType: 'touch' }),
  ]) {
    const settled = page.waitForResponse(/\/config\?/)
    await page.goto(site.serve(pageWith(tag(product))))
    await expect(widget.launcher).toBeVisible()
    await settled
    const loaded = page.waitForResponse(/\/main\.js$/)
    await reach()
    await loaded
    await expect(widget.panel).toHaveCount(0)
    await page.mouse.move(0, 0)
  }
})

test('finishes an answer on the page to which the visitor went on', async ({
  page,
  product,
  site,
  widget,
}) => {
  const ids: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/chatbot/message') && request.method() === 'POST')
      ids.push(request.headers()['x-request-id'])
  })
  const address = site.serve(pageWith(tag(product)))
  await page.goto(address)
  await widget.open()
  await widget.input.fill('Kargo ücreti ne kadar?')
  await page.route('**/chatbot/message', () => {}, { times: 1 })
  await widget.input.press('Enter')
  await expect.poll(() => ids.length).toBe(1)
  await page.goto(`${address}cups`)
  await widget.open()
  await expect(widget.answers).toHaveCount(1)
  await expect(widget.answers).toContainText('79 TL')
  expect(new Set(ids).size).toBe(1)
})
