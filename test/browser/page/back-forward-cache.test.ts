import { expect, pageWith, strictPolicy, tag, test } from '../fixtures.ts'

// A file of its own, because the flag takes a worker with a browser and a product of its own. The
// headless shell does not have that cache.
test.use({
  isWholeBrowser: true,
  contextOptions: { reducedMotion: 'reduce' },
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
})

test('leaves the page in the browser’s back/forward cache, and goes on when it comes back', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  await page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => Object.assign(window, { persisted }))
  })
  const address = site.serve(pageWith(tag(product)), strictPolicy(product))
  await page.goto(address)
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect(widget.panel.locator('.system')).toHaveCount(1)
  const session = await page.evaluate(() => localStorage.getItem('sohbet:demo:session'))
  await widget.input.fill('Bir dakika')

  await page.goto(`${address}cups`)
  await product.ask(`/api/v1/inbox/${session}/messages`, { text: 'Merhaba, ben Ayşe.' })
  // A page out of that cache is not loaded again.
  await page.goBack({ waitUntil: 'commit' })
  expect(await page.evaluate('persisted')).toBe(true)
  await expect(widget.panel).toBeVisible()
  await expect(widget.input).toHaveValue('Bir dakika')
  await expect(widget.panel.locator('[part=operator]')).toHaveText([/Merhaba, ben Ayşe/])
  await product.ask(`/api/v1/inbox/${session}/messages`, { text: 'Buradayım.' })
  await expect(widget.panel.locator('[part=operator]')).toHaveCount(2)
  expect(faults).toEqual([])
})
