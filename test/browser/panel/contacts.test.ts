import type { ManagedLead } from '../../../server/leads/schema.ts'
import type { Appointment, Slots } from '../../../server/appointments/schema.ts'
import { expect, test, type Product } from '../fixtures.ts'
import { accessFaults, addOperator, openPanel, scrollsSideways } from './people.ts'

async function addSession(product: Product, tenant = product.tenant): Promise<string> {
  const body = { tenant_id: tenant, locale: 'tr' }
  const { session_id: id } = await product.ask<{ session_id: string }>(
    '/api/v1/chatbot/sessions',
    body,
  )
  return id
}

async function addLead(product: Product, name: string): Promise<ManagedLead> {
  const id = await addSession(product)
  return product.ask(`/api/v1/chatbot/sessions/${id}/lead`, {
    name,
    phone: '0532 123 45 67',
    email: `${crypto.randomUUID()}@example.com`,
    consent: true,
  })
}

test('leads are found, moved on with an undo, noted and deleted', async ({ browser, product }) => {
  const name = `Elif ${crypto.randomUUID().slice(0, 8)}`
  await addLead(product, name)
  const { page, faults } = await openPanel(browser, product, '/leads', {
    refused: [/^422 .*\/leads\//],
  })
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(/q=Elif/)
  const status = page.getByRole('combobox', { name: `Durum: ${name}` })
  await status.selectOption({ label: 'Kazanıldı' })
  await page.getByRole('button', { name: 'Geri al' }).click()
  await expect(status).toHaveValue('new')
  expect(await accessFaults(page)).toEqual([])

  await page.getByRole('link', { name }).click()
  await page.getByLabel('Notlar').fill('Yarın aranacak.')
  await page.getByLabel('E-posta').fill('yanlış')
  await page.getByRole('button', { name: 'Kaydet' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByText('Geçerli bir e-posta adresi yazın')).toBeVisible()
  await expect(page.getByLabel('Notlar')).toHaveValue('Yarın aranacak.')
  await page.getByLabel('E-posta').fill('elif@example.com')
  await page.getByRole('button', { name: 'Kaydet' }).click()
  await expect(page.getByText('Kaydedildi')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Notlar')).toHaveValue('Yarın aranacak.')
  expect(await accessFaults(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 720 })
  expect(await scrollsSideways(page)).toBe(false)

  await addLead(product, `${name} Kaya`)
  await page.getByRole('button', { name: 'Diğer işlemler' }).click()
  await page.getByRole('button', { name: 'Başka bir kayıtla birleştir' }).click()
  const merge = page.getByRole('dialog')
  await merge.getByRole('searchbox', { name: 'Öteki kaydı bulun' }).fill(`${name} Kaya`)
  await merge.getByRole('radio', { name: `${name} Kaya` }).check()
  await merge.getByRole('button', { name: `“${name} Kaya” kaydını buna ekle` }).click()
  await expect(page.getByText('Kayıtlar birleştirildi')).toBeVisible()
  const { data } = await product.ask<{ data: ManagedLead[] }>(
    `/api/v1/leads?q=${encodeURIComponent(name)}`,
  )
  expect(data.map(({ name: each }) => each)).toEqual([name])

  await page.getByRole('button', { name: 'Diğer işlemler' }).click()
  await page.getByRole('button', { name: 'Kaydı sil' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Kaydı sil' }).click()
  await expect(page.getByText('Kayıt silindi')).toBeVisible()
  expect(faults).toEqual([])
})

test('hours are set, an appointment is seen, moved and cancelled', async ({ browser, product }) => {
  // Hours of the demo shop would close it for other tests.
  const tenant = `salon-${crypto.randomUUID().slice(0, 8)}`
  await product.ask('/api/v1/tenants', { tenant_id: tenant, name: tenant, time_zone: 'UTC' })
  const { page, faults } = await openPanel(browser, product, '/appointments/hours')
  await page.getByRole('combobox', { name: 'Site' }).selectOption(tenant)
  await page.getByLabel('Ziyaretçiler sohbetten randevu alabilsin').check()
  await page.getByRole('button', { name: 'Hizmet ekle' }).click()
  await page.getByRole('textbox', { name: 'Hizmet' }).last().fill('Deneme')
  await page.getByRole('button', { name: 'Pazartesi için saat ekle' }).click()
  await page.getByRole('button', { name: 'Pazartesi–cuma aynı saatler' }).click()
  await page.getByRole('button', { name: 'Kaydet' }).click()
  await expect(page.getByText('Kaydedildi')).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 720 })
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1280, height: 800 })

  const id = await addSession(product, tenant)
  const path = `/api/v1/chatbot/sessions/${id}`
  const { data } = await product.ask<Slots>(`${path}/slots?service=Deneme`)
  // The first day that has another time, to which the appointment is moved: late in the day one is left.
  const dayOf = (start?: string) => start?.slice(0, 10)
  const slot = data.find(({ start }, at) => dayOf(data[at + 1]?.start) === dayOf(start))
  const booked = await product.ask<Appointment>(`${path}/appointment`, {
    start: slot?.start,
    service: 'Deneme',
    name: 'Mehmet Kaya',
    email: 'mehmet@example.com',
    consent: true,
  })
  await page.goto(`${product.url}/panel/appointments?week=${booked.start.slice(0, 10)}`)
  const seen = page.getByRole('button', { name: /Mehmet Kaya/ })
  await seen.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Randevuyu iptal et' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(seen).toBeFocused()
  await seen.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Taşı' }).click()
  await page.getByRole('group', { name: 'Boş saatler' }).getByRole('button').first().click()
  await expect(page.getByText('iki tarafa da e-posta gidiyor')).toBeVisible()
  const read = () => product.ask<Appointment>(`/api/v1/appointments/${booked.appointment_id}`)
  expect((await read()).start).not.toBe(booked.start)
  expect(await accessFaults(page)).toEqual([])

  await page.goto(`${product.url}/panel/appointments/list`)
  await page
    .getByRole('row', { name: /Mehmet Kaya/ })
    .getByRole('button')
    .click()
  await page.getByRole('button', { name: 'Randevuyu iptal et' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Randevuyu iptal et' }).click()
  await expect(page.getByText('Randevu iptal edildi')).toBeVisible()
  expect((await read()).state).toBe('cancelled')
  expect(faults).toEqual([])

  const login = await addOperator(product, 'Deniz')
  const { page: operator } = await openPanel(browser, product, '/appointments/hours', { login })
  await expect(operator.getByText('Bunları sahipler ve yöneticiler değiştirebilir.')).toBeVisible()
  await expect(operator.getByRole('button', { name: 'Kaydet' })).toBeDisabled()
})

test('a site with hours shows its booking as on, and saving leaves it on', async ({
  browser,
  product,
}) => {
  const tenant = `salon-${crypto.randomUUID().slice(0, 8)}`
  await product.ask('/api/v1/tenants', { tenant_id: tenant, name: tenant, time_zone: 'UTC' })
  const hours = { mon: [{ from: '09:00', to: '17:00' }] }
  await product.ask(`/api/v1/tenants/${tenant}`, { office_hours: hours }, 'PATCH')
  const { page, faults } = await openPanel(browser, product, `/appointments?site=${tenant}`)
  await expect(page.getByText('Bu hafta randevu yok')).toBeVisible()
  await expect(page.getByRole('region', { name: /Pazartesi. Açık: 09:00–17:00$/ })).toBeVisible()
  await expect(page.getByRole('region', { name: /Salı. Kapalı$/ })).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Saatler ve hizmetler' }).click()
  await expect(page.getByLabel('Ziyaretçiler sohbetten randevu alabilsin')).toBeChecked()
  await page.getByRole('button', { name: 'Kaydet' }).click()
  await expect(page.getByText('Kaydedildi')).toBeVisible()
  const id = await addSession(product, tenant)
  const { data } = await product.ask<Slots>(`/api/v1/chatbot/sessions/${id}/slots`)
  expect(data.length).toBeGreaterThan(0)
  expect(faults).toEqual([])
})
