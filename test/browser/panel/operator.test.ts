import { expect, OPERATOR_TOKEN, test } from '../fixtures.ts'

test.use({ locale: 'tr-TR', contextOptions: { reducedMotion: 'reduce' } })

test('the console of the installation gives advice in the language of its reader', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/panel/operator/health`)
  await page.getByLabel('OPERATOR_TOKEN').fill(OPERATOR_TOKEN)
  await page.getByRole('button', { name: 'Aç' }).click()
  const checks = page.getByRole('table', { name: 'Denetimler' })
  const mail = checks.getByRole('row').filter({ hasText: 'E-posta' })
  await expect(mail).toContainText('SMTP_URL ayarını girin')
  // The sentence of the server is English, and marked as English.
  await expect(mail.locator('[lang=en]')).toContainText('no mail goes out')
  await page.getByRole('button', { name: 'Denetle' }).click()
  const found = page.getByRole('table', { name: 'Doktor' })
  const targets = found.getByRole('row').filter({ hasText: 'Webhook adresleri' })
  await expect(targets).toContainText('ALLOW_PRIVATE_TARGETS ayarını kaldırın')
  await expect(targets.locator('[lang=en]')).toContainText('Customers can reach')
  await expect(page.getByRole('table', { name: 'Kuyruklar' })).toContainText('Webhook gönderimleri')
})

test('a page before the sign-in is read in the other language', async ({ page, product }) => {
  await page.goto(`${product.url}/panel/sign-in`)
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.goto(`${product.url}/panel/operator`)
  await page.getByRole('button', { name: 'Türkçe' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kurulum yönetimi' })).toBeVisible()
})
