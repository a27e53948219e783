import type { Me } from '../../../panel/app/api/session.ts'
import { expect, test } from '../fixtures.ts'
import { accessFaults, openPanel, scrollsSideways } from './people.ts'

const TEXT =
  'Kargo iki günde gelir. Kargo ücreti 49 TL’dir. İade on dört gün içinde ücretsizdir. ' +
  'Mağazamız hafta içi dokuzda açılır ve altıda kapanır. Hediye paketi isteyebilirsiniz.'

test('a prompt of the library runs with its stream, its price and its inputs again', async ({
  browser,
  product,
}) => {
  const before = await product.ask<Me>('/api/v1/auth/me')
  const { page, faults } = await openPanel(browser, product, '/prompts?q=özetle')
  await page.getByRole('link', { name: /Metni özetle/ }).click()
  await expect(page.getByText('2 kredi')).toBeVisible()
  await page.getByLabel('Metin').fill(TEXT)
  await page.reload()
  await expect(page.getByLabel('Metin')).toHaveValue(TEXT)
  await page.getByRole('button', { name: 'Çalıştır' }).click()
  await expect(page.getByText(/^2 kredi harcandı/)).toBeVisible()
  await expect(page.locator('.result')).toContainText('Kargo')
  expect(await accessFaults(page)).toEqual([])
  const after = await product.ask<Me>('/api/v1/auth/me')
  expect(after.credits.remaining).toBe(before.credits.remaining - 2)

  // Another device has no draft: the inputs come from the server.
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${product.url}/panel/prompts/-/runs`)
  await expect(page.locator('tbody a.row-link').first()).toHaveText('Metni özetle')
  await page.getByRole('link', { name: 'Yeniden çalıştır: Metni özetle' }).first().click()
  await expect(page.getByLabel('Metin')).toHaveValue(TEXT)
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await scrollsSideways(page)).toBe(false)
  expect(faults).toEqual([])
})

test('an own prompt is made, changed and compared, and a fact kept', async ({
  browser,
  product,
}) => {
  const id = `slogan-${crypto.randomUUID().slice(0, 8)}`
  const { page, faults } = await openPanel(browser, product, '/prompts/-/new', { locale: 'en-GB' })
  await page.getByLabel('Title').fill('Slogan')
  await page.getByLabel('Id', { exact: true }).fill(id)
  const template = page.getByLabel('What the model is asked')
  await template.fill('Write a slogan for {{product}}.')
  await page.getByRole('button', { name: 'Make from the text' }).click()
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Make the prompt' }).click()
  await expect(page).toHaveURL(`${product.url}/panel/prompts/${id}`)
  await expect(page.getByLabel('product')).toBeVisible()

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await template.fill('Write a short slogan for {{product}}.')
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  await expect(page.getByText('Version 2 is saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Versions' }).click()
  await expect(page.locator('ins')).toContainText(['+ Write a short slogan for {{product}}.'])
  await expect(page.locator('del')).toContainText(['− Write a slogan for {{product}}.'])
  expect(await accessFaults(page)).toEqual([])

  await page.goto(`${product.url}/panel/prompts/-/memory`)
  await page.getByRole('button', { name: 'Add a fact' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('opening_hours')
  await dialog.getByLabel('Fact').fill('9 to 18')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const fact = page.getByRole('row').filter({ hasText: 'opening_hours' })
  await expect(fact).toContainText('9 to 18')
  await fact.getByRole('button', { name: 'Forget: opening_hours' }).click()
  await expect(fact).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(fact).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  expect(faults).toEqual([])
})
