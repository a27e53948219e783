import { expect, strictPolicy, test } from '../fixtures.ts'
import { accessFaults, addOperator, openPanel, scrollsSideways } from './people.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('hands a visitor to an operator, who answers and closes, in two browsers', async ({
  browser,
  product,
  widget,
}) => {
  const { page: panel, faults } = await openPanel(browser, product, '/inbox?view=waiting')
  await expect(panel.getByRole('heading', { name: 'Gelen kutusu' })).toBeVisible()

  await widget.begin(strictPolicy(product))
  await widget.menu('Müşteri temsilcisine bağlan')
  const row = panel.locator(`a.conversation[href*="${await widget.session()}"]`)
  await expect(row).toContainText('Bekliyor')
  await expect(panel).toHaveTitle(/^\(\d+\) /)
  await row.click()

  const log = panel.getByRole('log')
  await expect(log).toContainText('Kargo ücreti ne kadar?')
  await expect(log.getByText(/kaynak/).first()).toBeVisible()
  await panel.getByRole('button', { name: 'Devral', exact: true }).click()
  await expect(widget.panel.locator('.head p')).not.toHaveText('Dijital asistan')

  await widget.input.fill('Bir de şunu soracaktım')
  await expect(panel.getByText('Ziyaretçi yazıyor…')).toBeVisible()
  await widget.input.press('Enter')
  await expect(log).toContainText('Bir de şunu soracaktım')
  await expect(widget.panel.getByText('Görüldü')).toBeVisible()

  const reply = panel.getByRole('textbox', { name: 'Yanıt' })
  await reply.fill('Hediye paketi ücretsiz.')
  await expect(widget.panel.getByText('Ekibimizden biri yazıyor')).toHaveCount(1)
  // An unsent reply survives a reload.
  await panel.reload()
  await expect(reply).toHaveValue('Hediye paketi ücretsiz.')
  await reply.press('Enter')
  await expect(widget.panel.locator('[part=operator]')).toContainText('Hediye paketi ücretsiz.')
  await expect(log.locator('.bubble.operator')).toHaveCount(1)
  await expect(log).toContainText('Okundu')

  await panel.getByRole('button', { name: 'Not', exact: true }).click()
  await panel.getByRole('textbox', { name: 'Ekibiniz için not yazın' }).fill('Hediye sordu.')
  await panel.keyboard.press('Enter')
  await expect(log.locator('.bubble.note')).toContainText('Hediye sordu.')
  expect(await accessFaults(panel)).toEqual([])

  await panel.getByRole('button', { name: 'Kapat', exact: true }).click()
  await expect(widget.panel.getByRole('radiogroup', { name: 'Bu sohbet nasıldı?' })).toBeVisible()
  await expect(panel.getByText('Bu sohbet kapalı.')).toBeVisible()
  await panel.getByRole('button', { name: 'Geri al' }).click()
  await expect(panel.getByText('Bu sohbet kapalı.')).toHaveCount(0)
  expect(faults).toEqual([])
})

test('two operators never answer unseen of each other', async ({ browser, product, widget }) => {
  const login = await addOperator(product, 'Deniz')
  await widget.begin()
  await widget.menu('Müşteri temsilcisine bağlan')
  const { page: owner } = await openPanel(browser, product, '/inbox?view=waiting')
  await owner.locator(`a.conversation[href*="${await widget.session()}"]`).click()
  await expect(owner.getByText('Ziyaretçi bir temsilci bekliyor.')).toBeVisible()
  const path = new URL(owner.url()).pathname.replace('/panel', '')
  const { page: operator } = await openPanel(browser, product, path, { login })

  await operator.getByRole('textbox', { name: 'Yanıt' }).pressSequentially('Merhaba')
  await expect(owner.getByText('Deniz yanıt yazıyor…')).toBeVisible()
  await owner.getByRole('textbox', { name: 'Yanıt' }).fill('Selam')
  await owner.keyboard.press('Enter')
  const question = owner.getByRole('dialog', { name: /Deniz yanıt yazıyor/ })
  await question.getByRole('button', { name: 'Vazgeç' }).click()
  await expect(owner.getByRole('textbox', { name: 'Yanıt' })).toHaveValue('Selam')

  await expect(operator.getByText(/yanıt yazıyor…/)).toHaveCount(0)
  await operator.keyboard.press('Enter')
  await expect(owner.getByText('Bu sohbet şu anda Deniz adlı ekip üyesinde.')).toBeVisible()
  await expect(owner.getByRole('textbox', { name: 'Yanıt' })).toHaveCount(0)
  await owner.getByRole('button', { name: 'Devral', exact: true }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Devral' }).click()
  await expect(owner.getByRole('textbox', { name: 'Yanıt' })).toHaveValue('Selam')

  // An operator cannot take it back alone, but can write a note.
  await expect(operator.getByText(/yöneticiden sohbeti size atamasını/)).toBeVisible()
  await expect(operator.getByRole('textbox', { name: 'Ekibiniz için not yazın' })).toBeVisible()
})

test('is used by keys alone, in English, and on a phone', async ({ browser, product, widget }) => {
  await widget.begin()
  const { page: panel } = await openPanel(browser, product, '/inbox', { locale: 'en-GB' })
  await expect(panel.getByRole('list', { name: 'Conversations' })).toContainText('79 TL')
  await panel.keyboard.press('?')
  await expect(panel.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await panel.keyboard.press('Escape')
  await panel.keyboard.press('j')
  await expect(panel.getByRole('log')).toBeVisible()
  await panel.keyboard.press('r')
  const reply = panel.getByRole('textbox', { name: 'Reply' })
  await expect(reply).toBeFocused()
  await panel.keyboard.type('Hello')
  await panel.keyboard.press('Shift+Enter')
  await panel.keyboard.type('there')
  await expect(reply).toHaveValue('Hello\nthere')

  await panel.setViewportSize({ width: 360, height: 720 })
  expect(await scrollsSideways(panel)).toBe(false)
  expect(await accessFaults(panel)).toEqual([])
  await panel.getByRole('button', { name: 'Back to the list' }).click()
  await expect(panel.getByRole('list', { name: 'Conversations' })).toBeVisible()
  expect(await scrollsSideways(panel)).toBe(false)
  expect(await accessFaults(panel)).toEqual([])
})

test('a link to a conversation that is gone leads back to the list on a phone', async ({
  browser,
  product,
}) => {
  const { page } = await openPanel(browser, product, '/inbox/ses_gone', {
    viewport: { width: 390, height: 844 },
    refused: [/^404 /],
  })
  await expect(page.getByText('Aradığınız kayıt bulunamadı')).toBeVisible()
  await page.getByRole('button', { name: 'Listeye dön' }).click()
  await expect(page).toHaveURL(`${product.url}/panel/inbox`)
  await expect(page.getByRole('searchbox')).toBeVisible()
})
