import { expect, test } from '../fixtures.ts'

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
