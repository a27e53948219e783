import { expect, strictPolicy, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const DAY = [{ from: '00:00', to: '23:30' }]
const ALWAYS = { mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY, sat: DAY, sun: DAY }

test('books an appointment by keyboard', async ({ page, product, widget }) => {
  await product.ask(`/api/v1/tenants/demo`, { office_hours: ALWAYS }, 'PATCH')
  await widget.visit(strictPolicy(product))
  await widget.menu('Randevu al')
  const form = widget.panel.getByRole('form', { name: 'Randevu alın' })
  const days = form.getByRole('radiogroup', { name: 'Gün' })
  await days.getByRole('radio').first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(days.getByRole('radio').nth(1)).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  const times = form.getByRole('radiogroup', { name: 'Saat' })
  await expect(times.getByRole('radio', { checked: true })).toHaveCount(1)
  await form.getByLabel('Adınız soyadınız').fill('Ayşe Yılmaz')
  const book = form.getByRole('button', { name: 'Randevu al', exact: true })
  await form.getByLabel('E-posta').fill('ayse@')
  await book.click()
  await expect(form.getByLabel('E-posta')).toBeFocused()
  await expect(form.getByLabel('E-posta')).toHaveAccessibleDescription(/Geçerli bir e-posta adresi/)
  await expect(form.getByLabel('Telefon')).toHaveAccessibleDescription('')
  await form.getByLabel('E-posta').fill('ayse@example.com')
  await book.click()
  await expect(widget.panel.getByText(/^Randevunuz alındı: /).first()).toBeVisible()
  await expect(widget.input).toBeFocused()
  const confirmation = widget.panel.locator('.thanks')
  await expect(confirmation.getByRole('link', { name: 'Değiştir veya iptal et' })).toHaveAttribute(
    'href',
    /\/appointments\/apt_\w+\//,
  )
  const file = await confirmation.getByRole('link', { name: 'Takvime ekle' }).getAttribute('href')
  const calendar = await page.request.get(file ?? '')
  expect(calendar.headers()['content-disposition']).toBe('attachment; filename="appointment.ics"')
  expect(await calendar.text()).toContain('BEGIN:VEVENT')
  const booked = await product.ask<{ data: { name: string }[] }>('/api/v1/appointments')
  expect(booked.data[0]?.name).toBe('Ayşe Yılmaz')
  await product.ask(`/api/v1/tenants/demo`, { office_hours: {} }, 'PATCH')
})

test('books with consent where the site asks for it', async ({ product, widget }) => {
  const privacy = { consent_required: true }
  const services = ['Danışma', 'Atölye'].map((name) => ({ name, minutes: 30 }))
  const forms = { appointment: { enabled: true, services } }
  await product.ask(`/api/v1/tenants/demo`, { office_hours: ALWAYS, privacy, forms }, 'PATCH')
  await widget.visit(strictPolicy(product))
  // The empty conversation offers what the site has.
  await expect(widget.panel.getByText('Bugün 00:00–23:30')).toBeVisible()
  await widget.panel.locator('.welcome').getByRole('button', { name: 'Randevu al' }).click()
  const form = widget.panel.getByRole('form', { name: 'Randevu alın' })
  await form.getByLabel('Hizmet seçin').selectOption('Atölye')
  const times = form.getByRole('radiogroup', { name: 'Saat' })
  const book = form.getByRole('button', { name: 'Randevu al', exact: true })
  await times.waitFor()
  await book.click()
  await expect(times).toHaveAccessibleDescription('Lütfen bir saat seçin.')
  await times.getByRole('radio').first().check()
  await expect(times).toHaveAccessibleDescription('')
  await form.getByLabel('Adınız soyadınız').fill('Zübeyde')
  await book.click()
  const consent = form.getByRole('checkbox')
  await expect(consent).toBeFocused()
  await expect(consent).toHaveAccessibleDescription(/Onayınız olmadan/)
  await consent.check()
  await book.click()
  await expect(widget.panel.locator('.thanks')).toContainText('Atölye')
  const { data } = await product.ask<{ data: { name: string; consent: object }[] }>(
    '/api/v1/appointments',
  )
  expect(data[0]).toMatchObject({ name: 'Zübeyde', consent: { given_at: expect.any(String) } })
  await product.ask(`/api/v1/tenants/demo`, { office_hours: {}, privacy: {}, forms: {} }, 'PATCH')
})
