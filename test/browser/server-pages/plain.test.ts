import { axeOn, expect, pageWith, test } from '../fixtures.ts'

test('is a conversation for who has no scripts, from a link to the contact details', async ({
  browser,
  product,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  })
  const page = await context.newPage()
  await page.goto(`${product.url}/chat/demo?locale=en`)
  await page.getByLabel('Your message').fill('Do you ship to the United Kingdom?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const answer = page.getByRole('list', { name: 'Conversation' }).getByRole('listitem').nth(1)
  await expect(answer).toContainText('United Kingdom')
  await expect(answer.getByRole('link', { name: /Shipping/ })).toHaveAttribute(
    'href',
    /#.*:~:text=/,
  )
  await expect(page.locator('#new')).toBeInViewport()

  await page.getByText('Leave your contact details').click()
  await page.getByLabel('Name').fill('Ayşe Kaya')
  await page.getByLabel('Phone').fill('+905321234567')
  await page.getByLabel('E-mail').fill('ayse@example.com')
  await page.locator('details').getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('status')).toContainText('Thank you!')
  const width = await page.locator('html').evaluate((root) => root.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  const [cookie, ...others] = await context.cookies()
  expect(others).toEqual([])
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/chat/demo' })
  await context.close()
})

test("talks in a frame on the site's own page, with cookies and without, and on no other's", async ({
  page,
  product,
  site,
  faults,
}) => {
  const chat = `${product.url}/chat/demo?locale=en`
  const address = site.serve(pageWith(`<iframe src="${chat}" title="Chat"></iframe>`, 'en'))
  const allow = (allowed_origins: string[]) =>
    product.ask('/api/v1/tenants/demo', { allowed_origins }, 'PATCH')
  await allow([new URL(address).origin])
  const frame = page.frameLocator('iframe')
  const ask = async (question: string) => {
    await frame.getByLabel('Your message').fill(question)
    await frame.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(frame.getByText(question)).toBeInViewport()
  }
  await page.goto(address)
  await ask('Do you ship to the United Kingdom?')
  await page.reload()
  await expect(frame.getByText('Do you ship to the United Kingdom?')).toBeVisible()

  await page.context().clearCookies()
  await page.reload()
  await expect(frame.getByRole('listitem')).toHaveCount(0)
  await ask('How do I return an order?')
  await page.context().clearCookies()
  await ask('Do you deliver on Sundays?')
  await expect(frame.getByText('How do I return an order?')).toHaveCount(1)
  expect(faults).toEqual([])

  await allow(['https://another.example'])
  await page.reload()
  await expect.poll(() => faults.join()).toContain('frame-ancestors https://another.example')
  await expect(frame.getByLabel('Your message')).toHaveCount(0)
  await allow([])
})

for (const [colorScheme, locale] of [
  ['light', 'tr'],
  ['dark', 'ar'],
] as const)
  test(`is accessible without scripts, in ${colorScheme} colors and in ${locale}`, async ({
    browser,
    product,
  }) => {
    // The checker is a script; the page's own policy lets none run.
    const context = await browser.newContext({ colorScheme, bypassCSP: true })
    const page = await context.newPage()
    await page.goto(`${product.url}/chat/demo?locale=${locale}`)
    await page.locator('textarea').fill('Kargo ücreti ne kadar?')
    await page.locator('.composer button').click()
    await page.locator('.more details summary').first().click()
    await page.locator('[name=name]').fill('Ayşe')
    await page.locator('[name=phone]').fill('1')
    await page.locator('[name=email]').fill('ayse@example.com')
    await page.locator('details[open] form button').click()
    await expect(page.getByRole('alert')).toBeVisible()
    const { violations } = await axeOn(page).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    await context.close()
  })
