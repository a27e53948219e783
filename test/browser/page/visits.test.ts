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

test('is loaded on an idle page, drawn under a pointer, and only shown by a click', async ({
  page,
  product,
  site,
  widget,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const chat = page.waitForResponse(/\/main\.js$/)
  await page.goto(site.serve(pageWith(tag(product))))
  const drawn = page.locator('sohbet-widget [part=panel]')
  // Once it has run.
  await page.evaluate((address) => import(address), (await chat).url())
  await expect(drawn).toHaveCount(0)

  // Onto another element than at the start: the headless shell has its pointer in the corner.
  await page.getByRole('heading').hover()
  await expect(drawn).toBeAttached()
  await expect(drawn).toBeHidden()
  expect(asked.map((address) => new URL(address).pathname.replace(/^.*\//, '')).toSorted()).toEqual(
    ['', 'config', 'main.js', 'tr.js', 'widget.js'],
  )
  expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
  await expect(widget.launcher).toHaveAttribute('aria-expanded', 'false')
  // In the task of the click itself.
  const isFocused = await widget.launcher.evaluate((launcher: HTMLElement) => {
    launcher.click()
    const root = launcher.getRootNode()
    return root instanceof ShadowRoot && root.activeElement?.matches('.composer textarea')
  })
  expect(isFocused).toBe(true)
  await expect(widget.panel).toBeVisible()
})

test('takes up what was begun in another tab after it was drawn', async ({
  page,
  product,
  site,
  widget,
}) => {
  const address = site.serve(pageWith(tag(product)))
  await page.goto(address)
  await widget.launcher.hover()
  await expect(page.locator('sohbet-widget [part=panel]')).toBeAttached()
  const other = await page.context().newPage()
  await other.goto(address)
  const there = other.locator('sohbet-widget')
  await there.locator('[part=launcher]').click()
  await there.locator('.composer textarea').fill('Kargo ücreti ne kadar?')
  await there.locator('.composer textarea').press('Enter')
  await expect(there.locator('[part=assistant]')).toContainText('79 TL')
  await there.locator('.composer textarea').fill('Peki ya')
  await page.bringToFront()
  await widget.open()
  await expect(widget.answers).toContainText('79 TL')
  await expect(widget.input).toHaveValue('Peki ya')
  await expect(widget.panel.getByRole('group', { name: 'Önerilen sorular' })).toHaveCount(0)
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
