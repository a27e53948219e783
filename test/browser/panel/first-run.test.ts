import { createServer } from 'node:http'
import { expect, test as base } from '../fixtures.ts'
import { listen, startServer } from '../server-process.ts'
import { accessFaults, scrollsSideways } from './people.ts'

const SETUP_LINK = /http:\/\/\S+\/panel\/setup#[\w-]+/
const PASSWORD = 'uzun bir parola 42'
/** From the printed link to an answer from one's own website. */
const MAX_MINUTES = 3

const PAGES: Record<string, string> = {
  '/': `<h1>Ada Kahve</h1><nav><a href="/kargo">Kargo</a> <a href="/iade">İade</a></nav>
    <p>Taze kavrulmuş kahveler. Mağazamız hafta içi 09.00–19.00 arası açıktır.</p>`,
  '/kargo': `<h1>Kargo</h1><h2>Kargo ücreti ne kadar?</h2>
    <p>500 TL üzeri siparişlerde kargo ücretsizdir, altında 64 TL alınır.</p>`,
  '/iade': `<h1>İade</h1><h2>İade süresi kaç gün?</h2>
    <p>Ürünleri 21 gün içinde iade edebilirsiniz.</p>`,
}

interface Website {
  url: string
  /** Pastes a tag into every page. */
  paste(tag: string): void
}

/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern what a fixture needs */

const test = base.extend<{ setupLink: string; website: Website }>({
  setupLink: async ({}, use) => {
    const server = await startServer({})
    const link = await server.waitFor(SETUP_LINK)
    // On a busy machine the first moments after the start are refused.
    await expect.poll(async () => (await fetch(link)).status).toBe(200)
    await use(link)
    await server.stop()
  },
  website: async ({}, use) => {
    let tag = ''
    const server = createServer(({ url = '' }, response) => {
      const body = PAGES[url]
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      if (body === undefined) return response.writeHead(404).end()
      const head = `<head><meta charset="utf-8"><title>Ada Kahve</title></head>`
      return response.end(`<!doctype html><html lang="tr">${head}<body>${body}${tag}</body></html>`)
    })
    const url = `http://127.0.0.1:${await listen(server)}`
    await use({ url, paste: (given) => (tag = given) })
    server.closeAllConnections()
    server.close()
  },
})

test.use({ locale: 'tr-TR', contextOptions: { reducedMotion: 'reduce' } })

test('leads from the printed link to an own website with an answer and a green light', async ({
  page,
  setupLink,
  website,
  faults,
}) => {
  const begun = Date.now()
  const next = page.getByRole('button', { name: 'Devam' })
  await page.goto(setupLink)
  await expect(page).toHaveURL(/\/panel\/setup$/)
  await page.getByLabel('Adınız').fill('Ayşe Yılmaz')
  await page.getByLabel('E-posta').fill('ayse@example.com')
  await page.getByLabel('Parola').fill(PASSWORD)
  expect(await accessFaults(page)).toEqual([])
  await next.click()

  await page.getByLabel('Sitenin adı').fill('Ada Kahve')
  // Nobody was signed in so far.
  expect(faults.splice(0).filter((fault) => !fault.includes('status of 401'))).toEqual([])
  await expect(page.frameLocator('iframe').getByText('Ada Kahve').first()).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  await next.click()

  await page.getByLabel('Web sitenizin adresi').fill(website.url)
  await page.getByRole('button', { name: 'Siteyi oku' }).click()
  // Its pages appear as they are read.
  const read = page.getByRole('listitem').filter({ hasText: '1 bölüm' })
  await expect(read.filter({ hasText: /^Kargo|^İade|^Ada Kahve/ })).toHaveCount(3)
  expect(await accessFaults(page)).toEqual([])
  await next.click()

  await page.getByLabel('Sorunuz').fill('kargo ne kadar')
  await page.getByRole('button', { name: 'Sor', exact: true }).click()
  await expect(page.locator('.answer')).toContainText('64 TL')
  expect(Date.now() - begun).toBeLessThan(MAX_MINUTES * 60_000)
  expect(await accessFaults(page)).toEqual([])
  await next.click()

  await page.getByLabel('Telefon').uncheck()
  await page.getByLabel('Onay metni').fill('Bilgilerimin saklanmasını kabul ediyorum.')
  await page.getByLabel('Gizlilik politikanızın adresi').fill(`${website.url}/gizlilik`)
  expect(await accessFaults(page)).toEqual([])
  await next.click()

  const light = page.getByRole('status').filter({ has: page.locator('.dot') })
  await expect(light).toContainText('ilk sayfa bekleniyor')
  expect(await accessFaults(page)).toEqual([])
  website.paste(await page.locator('pre code').innerText())
  const visitor = await page.context().newPage()
  await visitor.goto(`${website.url}/kargo`)
  await expect(light.locator('.dot.good')).toBeVisible()
  await expect(light).toContainText(website.url)
  // The widget asks for what was chosen.
  const config = await page.request.get(
    `${new URL(page.url()).origin}/api/v1/widget/ada-kahve/config`,
  )
  expect(await config.json()).toMatchObject({
    forms: {
      lead: {
        required: ['name', 'email'],
        consent_text: 'Bilgilerimin saklanmasını kabul ediyorum.',
      },
    },
    privacy: { policy_url: `${website.url}/gizlilik` },
  })

  await page.getByRole('button', { name: 'Paneli aç' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ana sayfa' })).toBeVisible()
  await expect(page.getByText('4/5')).toBeVisible()
  // A busy machine refuses calls, which the panel repeats.
  expect(faults.filter((fault) => !fault.includes('status of 503'))).toEqual([])
})

test('can be skipped and resumed, and its link makes one account', async ({
  page,
  browser,
  setupLink,
}) => {
  const skip = page.getByRole('button', { name: 'Bu adımı atla' })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(setupLink)
  await page.getByLabel('Adınız').fill('Ayşe Yılmaz')
  await page.getByLabel('E-posta').fill('ayse')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Geçerli bir e-posta adresi yazın')).toBeVisible()
  await page.getByLabel('E-posta').fill('ayse@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Sitenin adı')).toBeVisible()
  expect(await scrollsSideways(page)).toBe(false)
  await skip.click()
  await expect(page.getByLabel('Web sitenizin adresi')).toBeVisible()
  // A reload keeps the step.
  await page.reload()
  await expect(page.getByLabel('Web sitenizin adresi')).toBeVisible()
  expect(await scrollsSideways(page)).toBe(false)
  await page.getByRole('button', { name: 'Üç bilgi yazın' }).click()
  const hours = page.getByLabel('Ne zaman açıksınız?')
  await hours.fill('Hafta içi 09.00–18.00.')
  await page.getByRole('button', { name: 'Ekle', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Hakkımızda' })).toBeVisible()
  // A second press adds nothing.
  await expect(hours).toHaveValue('')
  await skip.click()
  await expect(page.getByLabel('Sorunuz')).toBeVisible()
  expect(await scrollsSideways(page)).toBe(false)
  await skip.click()
  await expect(page.getByLabel('Onay metni')).toBeVisible()
  expect(await scrollsSideways(page)).toBe(false)
  await skip.click()
  await expect(page.locator('pre code')).toContainText('widget.js')
  expect(await scrollsSideways(page)).toBe(false)
  await page.getByRole('button', { name: 'Paneli aç' }).click()
  // The remaining steps are listed at Home.
  await page.getByRole('link', { name: 'Etiketi web sitenize koyun' }).click()
  await expect(page.locator('pre code')).toContainText('widget.js')

  // The first step is done for its owner and for everybody else.
  await page.goto(`${new URL(page.url()).origin}/panel/setup?step=you`)
  await expect(page.getByRole('heading', { level: 1, name: 'Hesap hazır' })).toBeVisible()
  await page.getByRole('button', { name: 'Devam' }).click()
  await expect(page.getByLabel('Sitenin adı')).toBeVisible()

  const stranger = await browser.newPage({ locale: 'tr-TR' })
  await stranger.goto(setupLink)
  await expect(stranger.getByText('ilk hesabı zaten açılmış')).toBeVisible()
  await expect(stranger.getByRole('link', { name: 'Giriş yap' })).toBeVisible()
  const [url = '', token] = setupLink.split('/panel/setup#')
  const second = await page.request.post(`${url}/api/v1/setup`, {
    data: { token, name: 'Can', email: 'can@example.com', password: PASSWORD },
    headers: { origin: url },
  })
  expect(second.status()).toBe(401)
})
