import { expect, test } from '../fixtures.ts'
import { accessFaults, openPanel } from './people.ts'

test('a file that cannot be read says why, and what to do', async ({ browser, product }) => {
  const tenant = `files-${crypto.randomUUID().slice(0, 8)}`
  await product.ask('/api/v1/tenants', { tenant_id: tenant, name: 'Dosya', locale: 'tr' })
  const { page, faults } = await openPanel(browser, product, `/knowledge?site=${tenant}`, {
    refused: [/^422 .*\/knowledge$/],
  })
  await page.getByRole('button', { name: 'Ekle' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Belge ekle' })
  await dialog.getByRole('button', { name: 'Dosya', exact: true }).click()
  const files = dialog.locator('input[type=file]')
  const image = Buffer.from('89504e470d0a1a0a0000000d', 'hex')
  await files.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: image })
  // The notice is part of the dialog: under it nobody could close it.
  const notice = dialog.getByText('logo.png: Bu dosya türü okunmaz.')
  await expect(notice).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  await dialog.locator('.toast').getByRole('button', { name: 'Kapat' }).click()
  await expect(notice).toHaveCount(0)
  const pdf = Buffer.from('%PDF-1.4 broken')
  await files.setInputFiles({ name: 'katalog.pdf', mimeType: 'application/pdf', buffer: pdf })
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: 'katalog' })
  await expect(row).toContainText('Okunamadı')
  await expect(row).toContainText('PDF bozuk. Yeniden dışa aktarıp yükleyin.')
  expect(faults).toEqual([])
})
