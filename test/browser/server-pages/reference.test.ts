import { expect, test } from '../fixtures.ts'

test('the reference has a search, calls with a pasted key, and stays within its policy', async ({
  page,
  product,
}) => {
  await page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(window, { violations })
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      violations.push(`${effectiveDirective} ${blockedURI}`),
    )
  })
  // As the description says where the installation is.
  const address = product.url.replace('127.0.0.1', 'localhost')
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(address))
      foreign.push(request.url())
  })
  await page.goto(`${address}/docs`)
  const signIn = page.locator('.opblock', { hasText: '/api/v1/auth/token' })
  await expect(signIn).toBeVisible()
  await page.locator('.operation-filter-input').fill('leads csv')
  await expect(signIn).toBeHidden()
  // Webhooks are all posted, and no search hides them.
  const operations = page.locator('.opblock-get')
  await expect(operations).toHaveCount(1)

  await page.locator('.scheme-container .authorize').click()
  const key = page.locator('.auth-container').first()
  await key.locator('input').fill('a wrong key')
  await key.locator('button[type=submit]').click()
  await page.locator('.auth-container .btn-done').first().click()
  await operations.locator('.opblock-summary-control').click()
  await operations.getByRole('button', { name: 'Execute' }).click()
  await expect(operations.locator('.live-responses-table')).toContainText('401')
  expect(foreign).toEqual([])
  expect(await page.evaluate('violations')).toEqual([])
})
