import { expect, test, type Product } from '../fixtures.ts'
import { accessFaults, openPanel, scrollsSideways } from './people.ts'

/** A site of the demo shop's workspace that no other test changes. */
async function addSite(product: Product, name: string): Promise<string> {
  const tenant = `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}`
  await product.ask('/api/v1/tenants', { tenant_id: tenant, name, locale: 'tr' })
  return tenant
}

async function askAsVisitor(product: Product, tenant: string, message: string): Promise<void> {
  const visitor = await fetch(`${product.url}/api/v1/auth/visitor`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: tenant }),
  })
  const { access_token: token }: { access_token: string } = await visitor.json()
  const asked = await fetch(`${product.url}/api/v1/chatbot/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ tenant_id: tenant, message, stream: false }),
  })
  if (!asked.ok) throw new Error(await asked.text())
}

test('an unanswered question becomes a document, and the assistant knows it', async ({
  browser,
  product,
}) => {
  const tenant = await addSite(product, 'Bahce')
  await askAsVisitor(product, tenant, 'Hediye paketi yapıyor musunuz?')
  const { page, faults } = await openPanel(browser, product, '/knowledge/unanswered', {
    // The test set was not run yet.
    refused: [/^404 .*\/questions\/results$/],
  })
  await page.getByRole('combobox', { name: 'Site' }).selectOption(tenant)
  const question = page.getByRole('row').filter({ hasText: 'Hediye paketi' })
  await question.getByRole('link', { name: 'Yanıtını yaz' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Başlık')).toHaveValue('Hediye paketi yapıyor musunuz?')
  expect(await accessFaults(page)).toEqual([])
  await dialog.getByRole('textbox', { name: 'Metin' }).fill('Evet, hediye paketi 35 TL’dir.')
  await dialog.getByRole('button', { name: 'Ekle', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: 'Hediye paketi' })
  await expect(row).toContainText('1 bölüm')

  await page.getByRole('link', { name: 'Deneme' }).click()
  await page.getByLabel('Sorunuz').fill('Hediye paketi yapıyor musunuz?')
  await page.keyboard.press('Enter')
  await expect(page.locator('.answer')).toContainText('35 TL')
  await page.getByText(/Asistanın bunun için okudukları/).click()
  expect(await accessFaults(page)).toEqual([])

  // A wrong answer is corrected in the document it came from; an unsaved text survives a reload.
  await page.getByRole('link', { name: 'Belgeyi aç' }).first().click()
  const text = page.getByRole('textbox', { name: 'Metin' })
  await text.fill('Evet, hediye paketi 40 TL’dir.')
  await page.reload()
  await expect(text).toHaveValue('Evet, hediye paketi 40 TL’dir.')
  await page.getByRole('button', { name: 'Kaydet' }).click()
  await expect(page.getByText('Kaydedildi')).toBeVisible()
  await expect(page.locator('.passage')).toContainText('40 TL')

  await page.goto(`${product.url}/panel/knowledge/tests`)
  await page.getByRole('button', { name: 'Soru ekle' }).first().click()
  await dialog.getByLabel('Soru', { exact: true }).fill('Hediye paketi yapıyor musunuz?')
  await dialog.getByLabel('Yanıtta geçmesi gereken sözcükler').fill('40 TL')
  await dialog.getByRole('button', { name: 'Ekle', exact: true }).click()
  await page.getByRole('button', { name: 'Çalıştır' }).click()
  await expect(page.getByText('Doğru: 1')).toBeVisible()
  expect(faults).toEqual([])
})

test('the widget takes its look and words from the panel, beside the real one', async ({
  browser,
  product,
}) => {
  const tenant = await addSite(product, 'Vitrin')
  const { page, faults } = await openPanel(browser, product, '/widget', {
    refused: [/^422 .*\/tenants\/vitrin/],
  })
  await page.getByRole('combobox', { name: 'Site', exact: true }).selectOption(tenant)
  const preview = page.frameLocator('iframe')
  await expect(preview.getByText('Vitrin').first()).toBeVisible()
  await page.getByLabel('Logo').fill('logo.png')
  await page.getByLabel('Ad', { exact: true }).fill('Yeni Vitrin')
  await page.getByRole('button', { name: 'Kaydet' }).click()
  // In the reader's language, and what was typed stays.
  await expect(page.getByText('Adresi tam yazın')).toBeVisible()
  await expect(page.getByLabel('Ad', { exact: true })).toHaveValue('Yeni Vitrin')
  await page.getByLabel('Logo').fill('')
  await page.getByRole('button', { name: 'Kaydet' }).click()
  await expect(preview.getByText('Yeni Vitrin').first()).toBeVisible()
  // The chat beside the fields takes no focus from them.
  await expect(page.getByRole('button', { name: 'Kaydet' })).toBeFocused()

  await page.getByRole('link', { name: 'Metinler' }).click()
  await page.getByLabel('Karşılama', { exact: true }).fill('Hoş geldiniz!')
  await page.getByText('Diğer diller').first().click()
  await page.getByLabel('Karşılama (İngilizce)').fill('Welcome!')
  await page.getByRole('button', { name: 'Kaydet' }).click()
  await expect(preview.getByText('Hoş geldiniz!')).toBeVisible()
  await page.getByRole('button', { name: 'EN', exact: true }).click()
  await expect(preview.getByText('Welcome!')).toBeVisible()

  await page.getByRole('link', { name: 'Nerede görünür' }).click()
  await page.getByRole('switch', { name: 'Yapay zekâ asistanları bu siteye sorabilsin' }).check()
  await expect(page.getByText(`${product.url}/mcp/${tenant}`)).toBeVisible()
  await page.getByRole('button', { name: 'Kaydet' }).click()
  await expect(page.getByText('Kaydedildi').last()).toBeVisible()
  const { mcp } = await product.ask<{ mcp: string }>(`/api/v1/tenants/${tenant}`)
  expect(mcp).toBe('public')
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await scrollsSideways(page)).toBe(false)
  expect(faults).toEqual([])
})

test('home shows who waits and what is unanswered, and each figure leads there', async ({
  browser,
  product,
  widget,
}) => {
  await widget.begin()
  await widget.menu('Müşteri temsilcisine bağlan')
  const { page, faults } = await openPanel(browser, product, '/')
  const waiting = page.getByRole('link', { name: /Bekleyen ziyaretçi/ })
  await expect(waiting).toHaveClass(/urgent/)
  expect(await accessFaults(page)).toEqual([])
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Klavye kısayolları' })).toBeVisible()
  await page.keyboard.press('Escape')
  await waiting.click()
  await expect(page).toHaveURL(/\/panel\/inbox\?view=waiting/)
  await expect(
    page.getByRole('list', { name: 'Sohbetler' }).getByRole('link').first(),
  ).toContainText('Bekliyor')
  await page.goBack()
  await page.getByRole('link', { name: /Bugün yeni müşteri/ }).click()
  await expect(page.getByRole('heading', { name: 'Potansiyel müşteriler' })).toBeVisible()
  expect(faults).toEqual([])
})
