import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
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

/** A shop's own system, which knows order 4711 and wants a key. */
async function startShop(): Promise<{ url: string; close: () => void }> {
  const server = createServer(({ url, headers }, response) => {
    if (headers['x-key'] !== 'the key of the shop') return response.writeHead(401).end()
    if (url !== '/orders/4711') return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ order: { status: 'yolda' } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Presses the link before its list has arrived, and lets go afterwards. */
async function clickWhileLoading(
  page: Page,
  list: string,
  name: string,
  load: () => Promise<void>,
): Promise<void> {
  const { promise: pressed, resolve: press } = Promise.withResolvers<void>()
  await page.route(list, async (route) => {
    await pressed
    await route.continue()
  })
  await load()
  await page.getByRole('link', { name }).hover()
  await page.mouse.down()
  press()
  await expect(page.getByText('Henüz işlem yok')).toBeVisible()
  await page.mouse.up()
}

test('an action is made, tried and switched on; one is taken back after it was deleted', async ({
  browser,
  product,
}) => {
  const shop = await startShop()
  const tenant = await addSite(product, 'Kargo')
  const { page, faults } = await openPanel(browser, product, '/actions', {
    refused: [/^422 .*\/actions$/],
  })
  await clickWhileLoading(page, `**/${tenant}/actions?*`, 'Yeni işlem', async () => {
    await page.getByRole('combobox', { name: 'Site' }).selectOption(tenant)
  })
  await page.getByLabel('Ad', { exact: true }).fill('Sipariş durumu')
  await page.getByLabel('Ne zaman kullanılsın').fill('Ziyaretçi siparişini sorar.')
  await page.getByLabel('Tetikleyen ifadeler', { exact: true }).fill('siparişim nerede')
  await page.getByLabel('Adres', { exact: true }).fill(`${shop.url}/orders/{order_id}`)
  await page.getByRole('button', { name: 'order_id bilgisini ekle' }).click()
  await page.getByLabel('Ziyaretçinin gördüğü ad').fill('sipariş numarası')
  await page.getByLabel('Değerin adı').fill('status')
  await page.getByLabel('Yanıttaki yeri').fill('/order/status')
  await page.getByLabel('Söylenecek cümle', { exact: true }).fill('Siparişiniz: {{durum}}.')
  await page.reload()
  await expect(page.getByLabel('Ad', { exact: true })).toHaveValue('Sipariş durumu')
  await page.getByRole('button', { name: 'Başlık ekle' }).click()
  await page.getByLabel('Başlığın adı').fill('X-Key')
  await page.getByLabel('Değer', { exact: true }).fill('the key of the shop')
  await page.getByRole('button', { name: 'Oluştur ve dene' }).click()
  await expect(page.getByText('{{durum}} gösterilebilecek değerler arasında yok.')).toBeVisible()
  await page.getByLabel('Söylenecek cümle', { exact: true }).fill('Siparişiniz: {{status}}.')
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Oluştur ve dene' }).click()
  await page.getByRole('button', { name: 'Sakladım' }).click()
  // A colleague's panel shows another site until the link names this one.
  const link = page.url().slice(`${product.url}/panel`.length)
  const { page: colleague } = await openPanel(browser, product, link)
  await expect(colleague.getByRole('heading', { name: 'Sipariş durumu' })).toBeVisible()
  await expect(colleague.getByRole('combobox', { name: 'Site' })).toHaveValue(tenant)
  await colleague.context().close()

  await page.getByLabel('sipariş numarası').fill('4711')
  await page.getByRole('button', { name: 'Çağrıyı gönder' }).click()
  await expect(page.getByText('Siparişiniz: yolda.')).toBeVisible()
  await page.getByText('Gönderilen istek').click()
  await expect(page.getByLabel('Gönderilen istek')).toContainText(`GET ${shop.url}/orders/4711`)
  await expect(page.locator('main')).not.toContainText('the key of the shop')
  expect(await accessFaults(page)).toEqual([])

  await page.getByRole('link', { name: 'Çağrılar' }).click()
  await page.getByRole('button', { name: 'order_id: 4711' }).click()
  await expect(page.getByRole('dialog')).toContainText('HTTP 200')
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: '“Sipariş durumu” sohbette kullanılsın' }).check()
  await expect(page.getByText('“Sipariş durumu” açıldı.')).toBeVisible()
  await page.getByRole('button', { name: '“Sipariş durumu” için diğer seçenekler' }).click()
  await page.getByRole('button', { name: 'Sil', exact: true }).click()
  await expect(page.getByText('Henüz işlem yok')).toBeVisible()
  await page.getByRole('button', { name: 'Geri al' }).last().click()
  await expect(page.getByRole('heading', { name: 'Sipariş durumu' })).toBeVisible()
  const { data } = await product.ask<{ data: object[] }>(`/api/v1/tenants/${tenant}/actions`)
  expect(data).toMatchObject([{ active: true, headers: { 'X-Key': '••••••••' } }])
  expect(faults).toEqual([])
  shop.close()
  await page.context().close()
})

test('actions are made of the operations that were chosen in an OpenAPI document', async ({
  browser,
  product,
}) => {
  const tenant = await addSite(product, 'Depo')
  const { page, faults } = await openPanel(browser, product, '/actions', { locale: 'en-GB' })
  await page.getByRole('combobox', { name: 'Site' }).selectOption(tenant)
  await page.getByRole('button', { name: 'Import from OpenAPI' }).click()
  const operation = { parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }] }
  const document = {
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/stock/{id}': {
        get: { ...operation, operationId: 'readStock', summary: 'Stock of an article' },
        delete: { ...operation, operationId: 'deleteArticle', summary: 'Delete an article' },
      },
    },
  }
  await page.getByLabel('OpenAPI document').fill(JSON.stringify(document))
  await page.getByRole('checkbox', { name: 'Stock of an article' }).check()
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Import 1' }).click()
  await expect(page.getByText('1 action was made.')).toBeVisible()
  await page.getByRole('button', { name: 'To the actions' }).click()
  await page.getByRole('link', { name: 'Stock of an article' }).click()
  await expect(page.getByLabel('Address')).toHaveValue('https://api.example.com/stock/{id}')
  await page.getByRole('button', { name: 'Edit as JSON Schema' }).click()
  await expect(page.getByLabel('JSON Schema')).toHaveValue(/"id": \{\s+"type": "string"/)
  expect(faults).toEqual([])
  await page.context().close()
})

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
  await question.getByRole('button', { name: /^Sil/ }).click()
  await expect(question).toHaveCount(0)
  await page.getByRole('button', { name: 'Geri al' }).click()
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
  await page.getByLabel('Yükle').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  })
  await expect(page.getByAltText('Yüklenen logo')).toBeVisible()
  await page.getByRole('button', { name: 'Kaydet' }).click()
  await expect(preview.getByText('Yeni Vitrin').first()).toBeVisible()
  await expect(preview.locator('.logo img')).toHaveJSProperty('naturalWidth', 192)
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
  // The notice of an earlier save may still stand, so what is stored says when this one is done.
  const stored = async () => await product.ask<{ mcp: string }>(`/api/v1/tenants/${tenant}`)
  await expect.poll(stored).toMatchObject({ mcp: 'public' })

  await page.getByRole('link', { name: 'Sitenize ekleyin' }).click()
  await page.getByRole('button', { name: 'Sol altta' }).click()
  await expect(page.locator('pre')).toContainText(`data-tenant="${tenant}" data-position="left"`)
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
  const tenant = await addSite(product, 'Panayir')
  const question = 'Kamp ateşi yakılıyor mu?'
  for (let asked = 0; asked < 3; asked++) await askAsVisitor(product, tenant, question)
  const { page, faults } = await openPanel(browser, product, '/')
  const waiting = page.getByRole('link', { name: /Bekleyen ziyaretçi/ })
  await expect(waiting).toHaveClass(/urgent/)
  expect(await accessFaults(page)).toEqual([])
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Klavye kısayolları' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: question }).click()
  await expect(page.getByRole('combobox', { name: 'Site', exact: true })).toHaveValue(tenant)
  await expect(page.getByRole('row', { name: question })).toBeVisible()
  await page.goBack()
  await waiting.click()
  await expect(page).toHaveURL(/\/panel\/inbox\?view=waiting/)
  await expect(
    page.getByRole('list', { name: 'Sohbetler' }).getByRole('link').first(),
  ).toContainText('Bekliyor')
  await page.goBack()
  await page.getByRole('link', { name: /Bugün yeni müşteri/ }).click()
  await expect(page.getByRole('heading', { name: 'Potansiyel müşteriler' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Ara', exact: true })
  await palette.getByRole('combobox').fill('panayir')
  await expect(palette.getByRole('option', { name: /^Panayir/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${product.url}/panel/widget?site=${tenant}`)
  expect(faults).toEqual([])
})
