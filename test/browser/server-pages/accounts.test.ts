import { axeOn, expect, test } from '../fixtures.ts'

/** The links that mails to somebody carry, the newest first. */
async function linksTo(devUrl: string, email: string): Promise<string[]> {
  const mails = (await (await fetch(`${devUrl}/mail`)).text()).split('<article>')
  return mails
    .filter((mail) => mail.includes(email))
    .flatMap((mail) => mail.match(/\/panel\/\w+#token=[\w-]+/)?.[0] ?? [])
}

test('another link that is opened on an account page takes the place of the first', async ({
  page,
  product,
}) => {
  const email = 'invited-twice@example.com'
  const invite = () => product.ask('/api/v1/members', { email, role: 'operator' })
  await invite()
  const [spent = ''] = await linksTo(product.devUrl, email)
  await invite()
  const [link = ''] = await linksTo(product.devUrl, email)
  await page.goto(product.url + spent)
  await page.locator('#name').fill('Ada')
  await page.locator('#password').fill('a long password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('ask the person who invited you')
  await page.goto(product.url + link)
  await expect(page.locator('#token')).toHaveValue(link.split('token=')[1] ?? '')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page).toHaveURL(`${product.url}/panel/invitation`)
  for (const typed of ['', 'Ada', 'a long password']) {
    await page.keyboard.press('Tab')
    if (typed) await page.keyboard.type(typed)
  }
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText('Welcome')
})

test('mails that wait for a developer can be read on a narrow screen', async ({
  page,
  product,
}) => {
  const invited = { email: 'invited-to-read@example.com', role: 'operator' }
  await product.ask('/api/v1/members', invited)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`${product.devUrl}/mail`)
  await expect(page.locator('pre').first()).toContainText('#token=')
  const width = await page.locator('html').evaluate((root) => root.scrollWidth)
  expect(width).toBeLessThanOrEqual(320)
})

for (const [colorScheme, locale] of [
  ['light', 'tr-TR'],
  ['dark', 'en-GB'],
] as const)
  test(`account pages are accessible and narrow enough, in ${colorScheme} and ${locale}`, async ({
    browser,
    product,
  }) => {
    const context = await browser.newContext({
      bypassCSP: true,
      colorScheme,
      locale,
      viewport: { width: 320, height: 640 },
    })
    const page = await context.newPage()
    for (const path of ['/panel/password', '/panel/invitation']) {
      await page.goto(product.url + path)
      await page.locator('#token').fill('spent')
      if (path.endsWith('invitation')) await page.locator('#name').fill('Ada')
      await page.locator('#password').fill('a long password')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('alert')).toBeVisible()
      const width = await page.locator('html').evaluate((root) => root.scrollWidth)
      expect(width).toBeLessThanOrEqual(320)
      const { violations } = await axeOn(page).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    }
    await context.close()
  })
