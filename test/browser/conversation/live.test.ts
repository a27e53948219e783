import type { Page } from '@playwright/test'
import {
  expect,
  pageWith,
  type Product,
  strictPolicy,
  tag,
  test,
  openInNewTab,
} from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** The conversation of the page's visitor, once there is one. */
async function sessionOf(page: Page): Promise<string> {
  const read = () => page.evaluate(() => localStorage.getItem('sohbet:demo:session'))
  await expect.poll(read).not.toBeNull()
  return (await read()) ?? ''
}

/** Writes as the shop's owner; the conversation is theirs from then on. */
async function write(product: Product, session: string, text: string): Promise<void> {
  await product.ask(`/api/v1/inbox/${session}/messages`, { text })
}

test('shows what the team writes as it is written, and that it writes', async ({
  page,
  product,
  widget,
  faults,
}) => {
  await widget.begin(strictPolicy(product))
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect(widget.panel.locator('.system')).toHaveCount(1)

  const session = await sessionOf(page)
  await product.ask(`/api/v1/inbox/${session}/claim`, {})
  await expect(widget.panel.locator('.head p')).not.toHaveText('Dijital asistan')
  await product.ask(`/api/v1/inbox/${session}/typing`, { is_typing: true })
  await expect(widget.panel.getByText('Ekibimizden biri yazıyor')).toHaveCount(1)
  await write(product, session, 'Merhaba, ben Ayşe.')
  await expect(widget.panel.locator('[part=operator]')).toContainText('Merhaba, ben Ayşe.')
  await expect(widget.panel.getByText('Ekibimizden biri yazıyor')).toHaveCount(0)

  await widget.ask('Hediye paketi yapıyor musunuz?')
  await expect(widget.panel.locator('[part=visitor]')).toHaveCount(2)
  // The receipt is for messages that the server has.
  await expect(widget.panel.getByText('Gönderildi', { exact: true })).toBeVisible()
  await product.ask(`/api/v1/inbox/${session}/read`, {})
  await expect(widget.panel.getByText('Görüldü')).toBeVisible()
  await write(product, session, 'Evet, ücretsiz.')
  const operators = widget.panel.locator('[part=operator]')
  await expect(operators).toHaveCount(2)
  await expect(operators.last()).toContainText('Fincan ekibi: Evet, ücretsiz.')
  // The receipt stays with its message, which is not the last any more.
  await expect(widget.panel.locator('[part=visitor] + .seen')).toHaveText('Görüldü')

  await product.ask(`/api/v1/inbox/${session}/close`, {})
  const rating = widget.panel.getByRole('radiogroup', { name: 'Bu sohbet nasıldı?' })
  await rating.getByRole('radio', { name: 'İyi', exact: true }).check()
  await widget.panel.getByLabel('Eklemek istediğiniz bir şey var mı?').fill('Çok hızlıydı.')
  await widget.panel.locator('.rating').getByRole('button', { name: 'Gönder' }).click()
  await expect(widget.panel.getByText('Değerlendirmeniz için teşekkürler.')).toBeVisible()

  // The new conversation stands below the old one, also once it is read from the server.
  const history = page.waitForResponse(
    (response) => /\/messages\?/.test(response.url()) && !response.url().includes(session),
  )
  await widget.ask('İade süresi kaç gün?')
  await (await history).finished()
  await expect(widget.answers.last()).toContainText('30 gün')
  await expect(widget.panel.locator('[part=visitor]').last()).toHaveText(/İade süresi/)
  expect(await sessionOf(page)).not.toBe(session)
  expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
})

test('brings a person into the conversation whose first message is still on its way', async ({
  page,
  product,
  widget,
}) => {
  const asked = Promise.withResolvers<void>()
  await page.route('**/chatbot/message', async (route) => {
    await asked.promise
    await route.continue()
  })
  await widget.visit()
  await widget.ask('Kargo ücreti ne kadar?')
  await widget.menu('Müşteri temsilcisine bağlan')
  asked.resolve()
  await expect(widget.panel.locator('.system')).toHaveCount(1)
  await expect(widget.answers).toHaveCount(1)
  await write(product, await sessionOf(page), 'Merhaba, ben Ayşe.')
  await expect(widget.panel.locator('[part=operator]')).toContainText('Merhaba, ben Ayşe.')
  const own = await page.evaluate(async (api) => {
    const [, token] = localStorage.getItem('sohbet:demo:token')?.split(' ') ?? []
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fetch(`${api}/api/v1/chatbot/sessions`, { headers })
    return (await response.json()).data.length
  }, product.url)
  expect(own).toBe(1)
})

test('misses nothing of what the team writes while the page is elsewhere', async ({
  page,
  product,
  site,
  widget,
}) => {
  await widget.visit()
  await widget.ask('Kargo ücreti ne kadar?')
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect(widget.panel.locator('.system')).toHaveCount(1)
  const session = await sessionOf(page)
  await write(product, session, 'Bir')
  await expect(widget.panel.locator('[part=operator]')).toHaveCount(1)

  await page.context().setOffline(true)
  await write(product, session, 'İki')
  await page.context().setOffline(false)
  await expect(widget.panel.locator('[part=operator]')).toHaveText([/Bir/, /İki/])

  await page.goto('about:blank')
  await write(product, session, 'Üç')
  await page.goto(site.serve(pageWith(tag(product))))
  await expect(widget.launcher).toBeVisible()
  // The panel stays closed: the message is counted where the visitor sees it.
  await write(product, session, 'Dört')
  await expect(widget.launcher).toHaveAccessibleName(/Sohbet, \d yeni mesaj/)
  await expect(page).toHaveTitle(/^\(\d\) Shop$/)
  await widget.open()
  await expect(widget.panel.locator('[part=operator]')).toHaveText([/Bir/, /İki/, /Üç/, /Dört/])
  await expect(page).toHaveTitle('Shop')
})

test('shows what the team writes where a proxy keeps the stream back', async ({
  page,
  product,
  widget,
  faults,
}) => {
  await page.clock.install()
  // It lets nothing through before the answer is whole, which it never is.
  const held: string[] = []
  await page.route('**/live', (route) => void held.push(route.request().url()))
  await widget.begin(strictPolicy(product))
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect.poll(() => held.length).toBeGreaterThan(0)
  const session = await sessionOf(page)
  await product.ask(`/api/v1/inbox/${session}/claim`, {})
  await write(product, session, 'Merhaba, ben Ayşe.')
  const said = widget.panel.locator('[part=operator]')
  await expect
    .poll(async () => {
      await page.clock.runFor(3_000)
      return said.count()
    })
    .toBe(1)
  const tries = held.length
  await write(product, session, 'Buyurun?')
  await expect
    .poll(async () => {
      await page.clock.runFor(3_000)
      return said.count()
    })
    .toBe(2)
  expect(held).toHaveLength(tries)
  expect(faults).toEqual([])
})

test('shows what the team wrote while the phone slept, soon after it wakes', async ({
  page,
  product,
  widget,
}) => {
  await page.clock.install()
  const connected: string[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/live')) connected.push(response.url())
  })
  await page.addInitScript(() => {
    // The network that was there before the sleep is gone, and nobody says so.
    const real = window.fetch
    Object.assign(window, { isAsleep: false })
    window.fetch = async (...given: Parameters<typeof fetch>) => {
      const response = await real(...given)
      const [address] = given
      if (typeof address !== 'string' || !address.endsWith('/live')) return response
      const lost = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          if (Reflect.get(window, 'isAsleep') === false) controller.enqueue(chunk)
        },
      })
      return new Response(response.body?.pipeThrough(lost) ?? null, response)
    }
  })
  await widget.begin(strictPolicy(product))
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect.poll(() => connected.length).toBe(1)
  const session = await sessionOf(page)
  await write(product, session, 'Merhaba')
  const said = widget.panel.locator('[part=operator]')
  await expect(said).toHaveText(/Merhaba/)

  await page.evaluate('isAsleep = true')
  await write(product, session, 'Buyurun?')
  await expect(said).toHaveCount(1)
  // A minute passes at once: no timer ran in between.
  await page.clock.fastForward('01:00')
  await page.evaluate('isAsleep = false')
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000)
      return said.allInnerTexts()
    })
    .toEqual([expect.stringContaining('Merhaba'), expect.stringContaining('Buyurun?')])
})

for (const how of ['refuses', 'does not know'])
  test(`is told what the team writes where the browser ${how} locks over tabs`, async ({
    page,
    product,
    widget,
  }) => {
    await page.addInitScript((isRefused) => {
      const request = () => Promise.reject(new DOMException('No.', 'SecurityError'))
      const value = isRefused ? { request } : undefined
      Object.defineProperty(navigator, 'locks', { value })
    }, how === 'refuses')
    await widget.begin(strictPolicy(product))
    await widget.menu('Müşteri temsilcisine bağlan')
    const session = await sessionOf(page)
    await write(product, session, 'Merhaba')
    await expect(widget.panel.locator('[part=operator]')).toHaveText(/Merhaba/)
  })

test('has one live connection over all tabs, and tells it in each', async ({
  page,
  product,
  site,
  widget,
}) => {
  const address = site.serve(pageWith(tag(product)))
  const connections: Page[] = []
  page.context().on('request', (request) => {
    if (request.url().endsWith('/live')) connections.push(request.frame().page())
  })
  await page.goto(address)
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect(widget.panel.locator('.system')).toHaveCount(1)
  const session = await sessionOf(page)

  const { panel } = await openInNewTab(page, address)
  await expect(panel.locator('[part=visitor]')).toHaveCount(1)
  await write(product, session, 'Merhaba')
  await expect(panel.locator('[part=operator]')).toHaveText(/Merhaba/)
  await expect(widget.panel.locator('[part=operator]')).toHaveText(/Merhaba/)
  expect(new Set(connections)).toEqual(new Set([page]))

  await page.close()
  await write(product, session, 'Hâlâ burada mısınız?')
  await expect(panel.locator('[part=operator]')).toHaveText([/Merhaba/, /Hâlâ/])
})

test('says in every tab what is said in one', async ({ page, product, site, widget }) => {
  const address = site.serve(pageWith(tag(product)))
  await page.goto(address)
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  const { panel } = await openInNewTab(page, address)
  await expect(panel.locator('[part=assistant]')).toHaveCount(1)
  await widget.ask('İade süresi kaç gün?')
  await expect(panel.locator('[part=assistant]')).toHaveCount(2)
  await expect(panel.locator('[part=visitor]')).toHaveCount(2)
  await panel.locator('.composer textarea').fill('Sipariş vermek istiyorum')
  await panel.locator('.composer textarea').press('Enter')
  await expect(widget.panel.locator('[part=visitor]')).toHaveCount(3)
  await expect(panel.locator('[part=visitor]')).toHaveCount(3)
})

test('lets the visitor take the conversation along, and delete it', async ({
  page,
  product,
  widget,
}) => {
  await widget.begin(strictPolicy(product))
  const session = await sessionOf(page)
  await widget.menu('Verileriniz')
  const file = page.waitForEvent('download')
  await widget.panel.getByRole('button', { name: 'İndir' }).click()
  const text = await (await (await file).createReadStream()).toArray()
  expect(Buffer.concat(text).toString()).toContain('Kargo ücreti ne kadar?')

  await widget.panel.getByRole('button', { name: 'Sohbeti sil' }).click()
  await widget.panel.getByRole('button', { name: 'Kalıcı olarak silinsin mi?' }).click()
  await expect(widget.panel.getByText('Sohbet silindi.').first()).toBeVisible()
  await expect(widget.answers).toHaveCount(0)
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  await expect(product.ask(`/api/v1/inbox/${session}`)).rejects.toThrow('not_found')
})

test('sends the conversation by mail to whom the visitor names', async ({ product, widget }) => {
  await widget.begin(strictPolicy(product))
  await widget.menu('Sohbeti e-postayla al')
  const form = widget.panel.getByRole('form', { name: 'Sohbeti e-postayla al' })
  await form.getByLabel('E-posta').fill('ayse@')
  await form.getByRole('button', { name: 'Gönder' }).click()
  await expect(form.getByLabel('E-posta')).toHaveAccessibleDescription(/Geçerli bir e-posta adresi/)
  await form.getByLabel('E-posta').fill('ayse@example.com')
  await form.getByRole('button', { name: 'Gönder' }).click()
  await expect(widget.panel.getByText('Sohbet ayse@example.com adresine')).toBeVisible()
})
