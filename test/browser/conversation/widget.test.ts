import { expect, pageWith, stored, strictPolicy, tag, test } from '../fixtures.ts'

test('answers in Turkish, with its sources, on a page with the strictest policy', async ({
  product,
  widget,
  faults,
}) => {
  await widget.visit(strictPolicy(product))
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toContainText('79 TL')
  await expect(widget.answers.getByRole('link', { name: /Kargo ve teslimat/ })).toHaveAttribute(
    'href',
    /\/demo#kargo-ve-teslimat/,
  )
  expect(faults).toEqual([])
})

test('answers in English where the tag asks for it', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  const attributes = 'data-tenant="demo" data-locale="en" data-theme="dark" data-position="left"'
  await page.goto(site.serve(pageWith(tag(product, attributes)), strictPolicy(product)))
  await page.getByRole('button', { name: 'Chat' }).click()
  await widget.ask('How many days do I have to return a product?')
  await expect(widget.answers).toContainText('30 days')
  await expect(widget.answers.getByRole('link', { name: /Returns/ }).first()).toBeVisible()
  expect(faults).toEqual([])
})

test('is clean on a page that allows scripts by their address', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  const policy = `default-src 'none'; script-src ${product.url}; connect-src ${product.url}`
  await page.goto(site.serve(pageWith(tag(product)), policy))
  await widget.open()
  await widget.ask('İade süresi kaç gün?')
  await expect(widget.answers).toContainText('30 gün')
  expect(faults).toEqual([])
})

test('says that it does not know, and takes the details of who wants an answer', async ({
  product,
  widget,
}) => {
  await widget.visit(strictPolicy(product))
  await widget.ask('Zürafalar kaç yıl yaşar?')
  const actions = widget.panel.getByRole('group', { name: 'Öneriler' }).getByRole('button')
  await expect(actions).toHaveText(['Müşteri temsilcisine bağlan', 'İletişim bilgisi bırak'])
  await expect(widget.panel.getByRole('button', { name: 'Yardımcı oldu' })).toHaveCount(0)
  await actions.last().click()
  const form = widget.panel.getByRole('form', { name: 'İletişim bilgileriniz' })
  await expect(form.getByLabel('Adınız soyadınız')).toBeFocused()

  await form.getByLabel('Adınız soyadınız').fill('Ayşe Yılmaz')
  await form.getByLabel('Telefon').fill('12345678')
  await form.getByLabel('E-posta').fill('ayse@')
  await form.getByRole('button', { name: 'Gönder' }).click()
  await expect(form.getByLabel('E-posta')).toBeFocused()
  await expect(form.getByLabel('E-posta')).toHaveAccessibleDescription(/Geçerli bir e-posta adresi/)

  await form.getByLabel('E-posta').fill('ayse@example.com')
  await form.getByRole('button', { name: 'Gönder' }).click()
  await expect(form.getByLabel('Telefon')).toBeFocused()
  await expect(form.getByLabel('Telefon')).toHaveAccessibleDescription(
    /Geçerli bir telefon numarası/,
  )

  await form.getByLabel('Telefon').fill('0532 123 45 67')
  await form.getByRole('button', { name: 'Gönder' }).click()
  await expect(widget.panel.getByText('Teşekkürler, Ayşe Yılmaz!')).toBeVisible()
  await expect(widget.input).toBeFocused()
  const leads = await product.ask<{ data: { name: string; phone: string }[] }>('/api/v1/leads')
  expect(leads.data[0]).toMatchObject({ name: 'Ayşe Yılmaz', phone: '+905321234567' })
})

test('shows the conversation again after a reload', async ({ page, product, widget }) => {
  await widget.visit(strictPolicy(product))
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toContainText('79 TL')
  await widget.input.fill('Peki ya')
  await page.reload()
  await widget.open()
  await expect(widget.panel.getByText('Siz: Kargo ücreti ne kadar?')).toBeVisible()
  await expect(widget.answers).toContainText('79 TL')
  await expect(widget.answers.getByRole('link', { name: /Kargo ve teslimat/ })).toBeVisible()
  await expect(widget.input).toHaveValue('Peki ya')
})

test('stores nothing and asks only for its settings and files before the first message', async ({
  page,
  product,
  site,
  widget,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  // Nor where a consent bar comes into its corner, and the visitor uses a keyboard.
  const style = 'position:fixed;bottom:0;left:0;right:0;height:80px'
  const bar = `<button id="bar" hidden style="${style}">OK</button>`
  const policy = `${strictPolicy(product)};style-src-attr 'unsafe-inline'`
  const address = site.serve(pageWith(bar + tag(product)), policy)
  const settings = page.waitForRequest(/\/config\?locale=$/)
  await page.goto(address)
  await settings
  await expect(widget.launcher).toBeVisible()
  const before = await widget.launcher.boundingBox()
  await page.locator('#bar').evaluate((each) => each.removeAttribute('hidden'))
  await page.keyboard.press('Tab')
  await expect.poll(async () => (await widget.launcher.boundingBox())?.y).not.toBe(before?.y)
  await page.locator('#bar').evaluate((each) => each.remove())
  const base = `${product.url}/`
  const own = asked.filter((url) => url.startsWith(base))
  expect(own.slice(0, 2)).toEqual([`${base}widget.js`, `${base}api/v1/widget/demo/config?locale=`])
  expect(own.slice(2).filter((url) => !/\/assets\/\w+\/(?:main|tr)\.js$/.test(url))).toEqual([])

  await widget.open()
  await widget.input.fill('Kargo')
  expect(await stored(page)).toEqual([])
  await widget.input.press('Enter')
  await expect(widget.answers.first()).toBeVisible()
  expect((await stored(page)).every((key) => key.startsWith('sohbet:demo:'))).toBe(true)
  expect(await page.context().cookies()).toEqual([])
})

test('works, for one page, where storage is blocked', async ({ page, product, widget, faults }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
  })
  await widget.begin(strictPolicy(product))
  await widget.ask('Peki iade süresi kaç gün?')
  await expect(widget.answers).toHaveCount(2)
  expect(faults).toEqual([])
})

test('offers the form when the site cannot pay for an answer', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.goto(site.serve(pageWith(tag(product, `data-tenant="${product.poorTenant}"`), 'en')))
  await widget.open()
  await widget.ask('Do you ship to Norway?')
  await expect(widget.panel.getByRole('alert')).toContainText("can't answer right now")
  const form = widget.panel.getByRole('form', { name: 'Your contact details' })
  await form.getByLabel('Name').fill('Ola Nordmann')
  await form.getByLabel('Phone').fill('+47 22 22 55 55')
  await form.getByLabel('E-mail').fill('ola@example.com')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(widget.panel.getByText('Thank you, Ola Nordmann!')).toBeVisible()
})

test('keeps a message that could not be sent, and sends it once', async ({
  page,
  product,
  widget,
}) => {
  await widget.visit(strictPolicy(product))
  await page.context().setOffline(true)
  await widget.ask('Kargo ücreti ne kadar?')
  const alert = widget.panel.getByRole('alert')
  await expect(alert).toContainText('İnternet bağlantınızı kontrol edin')
  await page.context().setOffline(false)
  const sent = page.waitForRequest(/chatbot\/message$/)
  await alert.getByRole('button', { name: 'Tekrar dene' }).click()
  const id = (await sent).headers()['x-request-id']
  await expect(widget.answers).toContainText('79 TL')
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  await expect(widget.panel.getByText('Kargo ücreti ne kadar?')).toHaveCount(1)
  await expect(alert).toHaveCount(0)
})

test('finishes after a reload what was asked before it', async ({ page, product, widget }) => {
  await widget.visit(strictPolicy(product))
  await page.context().setOffline(true)
  await widget.ask('İade süresi kaç gün?')
  await expect(widget.panel.getByRole('alert')).toBeVisible()
  await page.context().setOffline(false)
  await page.reload()
  await widget.open()
  await expect(widget.answers).toContainText('30 gün')
  await expect(widget.panel.getByText('İade süresi kaç gün?')).toHaveCount(1)
})

test('asks only for what the site wants, names its privacy policy, and asks nothing twice', async ({
  product,
  widget,
}) => {
  const policy_url = 'https://fincan.example/gizlilik'
  const forms = { lead: { required: ['email'] } }
  await product.ask('/api/v1/tenants/demo', { forms, privacy: { policy_url } }, 'PATCH')
  try {
    await widget.begin()
    await widget.menu('İletişim bilgisi bırak')
    const form = widget.panel.getByRole('form', { name: 'İletişim bilgileriniz' })
    await expect(form.getByRole('textbox')).toHaveCount(2)
    await expect(form.getByRole('link', { name: 'Gizlilik politikası' })).toHaveAttribute(
      'href',
      policy_url,
    )
    await form.getByLabel('E-posta').fill('ayse@example.com')
    await form.getByRole('button', { name: 'Gönder' }).click()
    await expect(widget.panel.getByText('Teşekkürler! Bilgilerinizi aldık').first()).toBeVisible()
    await widget.menu('Sohbeti e-postayla al')
    await expect(widget.panel.getByRole('textbox', { name: 'E-posta' })).toHaveValue(
      'ayse@example.com',
    )
  } finally {
    await product.ask('/api/v1/tenants/demo', { forms: {}, privacy: {} }, 'PATCH')
  }
})

test('begins a new conversation, and goes back to an earlier one', async ({ widget }) => {
  await widget.begin()
  await widget.menu('Yeni sohbet')
  await expect(widget.panel.getByRole('log')).toBeEmpty()
  await widget.ask('İade süresi kaç gün?')
  await expect(widget.answers).toContainText('30 gün')
  await widget.menu('Önceki sohbetler')
  await widget.panel.getByRole('button', { name: 'Kargo ücreti ne kadar?' }).click()
  await expect(widget.answers).toContainText('79 TL')
  await expect(widget.panel.getByText('Siz: İade süresi kaç gün?')).toHaveCount(0)
})

test('has an address proved by a code where the site wants that', async ({ product, widget }) => {
  const forms = { lead: { verify_email: true } }
  await product.ask('/api/v1/tenants/demo', { forms }, 'PATCH')
  try {
    await widget.visit()
    await widget.menu('İletişim bilgisi bırak')
    const form = widget.panel.getByRole('form', { name: 'İletişim bilgileriniz' })
    await form.getByLabel('Adınız soyadınız').fill('Ayşe Yılmaz')
    await form.getByLabel('Telefon').fill('0532 123 45 67')
    await form.getByLabel('E-posta').fill('code@example.com')
    await form.getByRole('button', { name: 'Gönder' }).click()
    const code = form.getByLabel('code@example.com adresine gönderdiğimiz altı haneli kod')
    await expect(code).toBeFocused()
    const mails = async () => await (await fetch(`${product.devUrl}/mail`)).text()
    await expect.poll(async () => /\b\d{6}\b/.test(await mails())).toBe(true)
    await code.fill(/\b\d{6}\b/.exec(await mails())?.[0] ?? '')
    await form.getByRole('button', { name: 'Gönder' }).click()
    await expect(widget.panel.getByText('Teşekkürler, Ayşe Yılmaz!').first()).toBeVisible()
  } finally {
    await product.ask('/api/v1/tenants/demo', { forms: {} }, 'PATCH')
  }
})
