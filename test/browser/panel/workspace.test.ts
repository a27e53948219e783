import { OPERATOR_TOKEN, expect, test } from '../fixtures.ts'
import { accessFaults, addOperator, openPanel, OWNER, scrollsSideways } from './people.ts'

test('the team is invited, its roles change with an undo, and a member leaves', async ({
  browser,
  product,
}) => {
  const colleague = await addOperator(product, 'Ayşe Yılmaz')
  const { page, faults } = await openPanel(browser, product, '/team')
  const email = `${crypto.randomUUID()}@example.com`
  await page.getByRole('button', { name: 'Davet et' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-posta').fill(email)
  await dialog.getByLabel(/Yönetici/).check()
  // This installation has no mail server, and says so before somebody waits for a mail.
  await expect(dialog.getByText('Davet e-postası gitmez')).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Daveti gönder' }).click()
  const invited = page.getByRole('row').filter({ hasText: email })
  await expect(invited).toContainText('Davet')
  await page.getByRole('button', { name: `${email} için işlemler` }).click()
  await page.getByRole('button', { name: 'Daveti geri çek' }).click()
  await expect(invited).toHaveCount(0)

  const row = page.getByRole('row').filter({ hasText: colleague.email })
  const role = row.getByRole('combobox')
  await role.selectOption('admin')
  const changed = page.locator('.toast').filter({ hasText: 'artık: Yönetici' })
  const undone = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await changed.getByRole('button', { name: 'Geri al' }).click()
  await undone
  await expect(role).toHaveValue('operator')
  await row.getByRole('button', { name: 'Ayşe Yılmaz için işlemler' }).click()
  await page.getByRole('button', { name: 'Ekipten çıkar' }).click()
  await dialog.getByRole('button', { name: 'Ekipten çıkar' }).click()
  await expect(row).toHaveCount(0)
  expect(await accessFaults(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await scrollsSideways(page)).toBe(false)
  // The audit log says all of it in the reader's words.
  await page.goto(`${product.url}/panel/developers/audit`)
  const undo = page.getByRole('row').filter({ hasText: 'Önceki rol: Yönetici' })
  await expect(undo).toContainText('Yeni rol: Temsilci')
  expect(faults).toEqual([])
})

test('a site is added and removed, and the model tested', async ({ browser, product }) => {
  const { page, faults } = await openPanel(browser, product, '/settings/sites', {
    locale: 'en-GB',
  })
  const name = `Çiçek ${crypto.randomUUID().slice(0, 6)}`
  await page.getByRole('button', { name: 'Add a site' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name of the site').fill(name)
  await page.keyboard.press('Enter')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(name.replace('Çiçek ', 'cicek-'))
  const changed = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await row.getByRole('switch').click()
  await expect(row.getByRole('switch')).not.toBeChecked()
  await changed
  await row.getByRole('button', { name: `Remove: ${name}` }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(row).toHaveCount(0)

  await page.goto(`${product.url}/panel/settings/models`)
  await page.getByRole('button', { name: 'Test' }).first().click()
  await expect(page.getByText('Works', { exact: true })).toBeVisible()
  expect(faults).toEqual([])
})

test('what can be pressed keeps its place while the rest loads', async ({ browser, product }) => {
  const tenant = `second-${crypto.randomUUID().slice(0, 8)}`
  await product.ask('/api/v1/tenants', { tenant_id: tenant, name: 'Second', locale: 'tr' })
  const { page, faults } = await openPanel(browser, product, '/leads')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/tenants?*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.reload()
  const site = page.getByRole('combobox', { name: 'Site' }).first()
  const places = () =>
    Promise.all([
      page.getByRole('link', { name: 'Webhooklar' }).boundingBox(),
      page.locator('main .card').first().boundingBox(),
    ])
  await expect(site).toBeDisabled()
  await expect(page.locator('main .skeleton')).toHaveCount(0)
  const before = await places()
  held.resolve()
  await expect(site).toBeEnabled()
  expect(await places()).toEqual(before)
  expect(faults).toEqual([])
})

test('an address that the panel does not have keeps the navigation', async ({
  browser,
  product,
}) => {
  const { page, faults } = await openPanel(browser, product, '/nothing-here')
  await expect(page.getByText('Böyle bir sayfa yok.')).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Ekip' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ekip' })).toBeVisible()
  expect(faults).toEqual([])
})

test('the menu of a phone takes the keyboard and gives it back', async ({ browser, product }) => {
  const { page, faults } = await openPanel(browser, product, '/leads', {
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
  })
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  await menu.press('Enter')
  await expect(page.locator('.side a').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.locator('.shell.open')).toHaveCount(0)
  await expect(menu).toBeFocused()
  // The next key may follow at once, before a frame was drawn.
  const isInMenu = await menu.evaluate(async (button) => {
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve))
    return document.activeElement?.closest('.side') !== null
  })
  expect(isInMenu, 'the keyboard is in the menu as soon as it opens').toBe(true)
  await page.getByRole('link', { name: 'Team' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Team', level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  expect(faults).toEqual([])
})

test('an owner closes the workspace with the password, and opens it again', async ({
  browser,
  product,
}) => {
  const created = await addClosable(product.url)
  const { page } = await openPanel(browser, product, '/settings/data', {
    login: created,
    locale: 'en-GB',
  })
  await page.getByRole('button', { name: 'Close the workspace' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password, again').fill('not the password')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This is not your password.')).toBeVisible()
  await dialog.getByLabel('Your password, again').fill(created.password)
  await page.keyboard.press('Enter')
  const banner = page.locator('.banner').filter({ hasText: 'This workspace is closed' })
  await expect(banner).toBeVisible()
  await page.goto(`${product.url}/panel`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  await banner.getByRole('button', { name: 'Reopen' }).click()
  await expect(banner).toHaveCount(0)
})

async function addClosable(url: string): Promise<{ email: string; password: string }> {
  const email = `${crypto.randomUUID()}@example.com`
  const { password } = OWNER
  const response = await fetch(`${url}/api/v1/operator/workspaces`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${OPERATOR_TOKEN}`,
    },
    body: JSON.stringify({
      name: 'Closing',
      plan: 'starter',
      locale: 'en',
      owner: { email, name: 'Closer', password },
    }),
  })
  expect(response.status).toBe(201)
  return { email, password }
}
