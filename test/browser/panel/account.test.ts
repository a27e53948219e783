import { timeStep, totp } from '../../../server/platform/two-factor/totp.ts'
import { expect, test } from '../fixtures.ts'
import { accessFaults, addOperator, openPanel, scrollsSideways } from './people.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

test('a server that cannot be reached at the start is tried again', async ({
  browser,
  product,
}) => {
  const { page } = await openPanel(browser, product, '/account', { refused: [/^500 /] })
  await page.route('**/api/v1/auth/me', (route) => route.fulfill({ status: 500, body: 'down' }))
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Sunucuda bir sorun oluştu')
  expect(await accessFaults(page)).toEqual([])
  await page.unroute('**/api/v1/auth/me')
  await page.getByRole('button', { name: 'Yeniden dene' }).click()
  await expect(page.getByRole('heading', { name: 'Hesabım', level: 1 })).toBeVisible()
})

test('a session is renewed before its 15 minutes are over, while nobody does anything', async ({
  browser,
  product,
}) => {
  const { page, faults } = await openPanel(browser, product, '/')
  await page.clock.install()
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The first one is for a browser that does not know when it signed in.
  for (const waited of ['00:31', '11:31']) {
    const renewed = page.waitForResponse(/auth\/refresh$/)
    await page.clock.fastForward(waited)
    expect((await renewed).status()).toBe(200)
  }
  expect(faults).toEqual([])
  await page.context().close()
})

test('two-step sign-in is switched on, asked for, and a recovery code works once', async ({
  browser,
  product,
}) => {
  const login = await addOperator(product, 'Ada')
  const { page } = await openPanel(browser, product, '/account/security', {
    login,
    locale: 'en-GB',
  })
  // The panel takes the account's language at the sign-in.
  const english = { data: { locale: 'en' }, headers: { origin: product.url } }
  await page.request.patch(`${product.url}/api/v1/account`, english)
  await page.getByRole('button', { name: 'Switch on' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password, again').fill(login.password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('img', { name: 'QR code with the key' })).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  const secret = await dialog.locator('pre code').innerText()
  const code = dialog.getByLabel('Code from the app')
  await code.fill('000000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('The code is wrong or too old.')).toBeVisible()
  await code.fill(codeOf(secret, timeStep(Date.now())))
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const codes = await dialog.getByRole('listitem').allInnerTexts()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()

  const signIn = async (typed: string): Promise<void> => {
    await page.context().clearCookies()
    await page.goto(`${product.url}/panel/sign-in`)
    await page.getByLabel('E-mail').fill(login.email)
    await page.getByLabel('Password').fill(login.password)
    await page.keyboard.press('Enter')
    const asked = page.getByLabel('Code from your authenticator app')
    await expect(asked).toBeFocused()
    await asked.fill(typed)
    await page.keyboard.press('Enter')
  }
  const [recovery = ''] = codes
  await signIn(recovery)
  await expect(page).toHaveURL(`${product.url}/panel`)
  await page.goto(`${product.url}/panel/account/security`)
  await expect(page.getByText('9 recovery codes are left.')).toBeVisible()
  await signIn(recovery)
  await expect(page.getByLabel('Code from your authenticator app')).toHaveAccessibleDescription(
    /The code is wrong or too old\./,
  )
  // A code is good once, so the next one is typed, which the server takes half a minute early.
  await page
    .getByLabel('Code from your authenticator app')
    .fill(codeOf(secret, timeStep(Date.now()) + 1))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${product.url}/panel`)
})

test('a login elsewhere is signed out from the list', async ({ browser, product }) => {
  const login = await addOperator(product, 'Grace')
  const [here, there] = await Promise.all([
    openPanel(browser, product, '/account/sessions', { login, locale: 'en-GB' }),
    openPanel(browser, product, '/', { login, locale: 'en-GB' }),
  ])
  await there.page.getByRole('heading', { level: 1 }).waitFor()
  await here.page.reload()
  const rows = here.page.getByRole('row')
  await expect(rows).toHaveCount(3)
  await here.page
    .getByRole('row')
    .filter({ hasNotText: 'This device' })
    .getByRole('button', { name: /Sign out/ })
    .click()
  await expect(rows).toHaveCount(2)
  await expect(there.page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('name, language and picture are changed; the panel follows', async ({ browser, product }) => {
  const login = await addOperator(product, 'Edith')
  const { page, faults } = await openPanel(browser, product, '/account', {
    login,
    locale: 'en-GB',
    viewport: { width: 360, height: 740 },
  })
  await page.getByLabel('Name').fill('Edith Clarke')
  await page.getByLabel('Language').selectOption('tr')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Hesabım' })).toBeVisible()
  await expect(page.getByLabel('Ad', { exact: true })).toHaveValue('Edith Clarke')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Fotoğraf seç' }).click()
  await (await chooser).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: PIXEL })
  await expect(page.locator('main img.avatar')).toBeVisible()
  expect(await scrollsSideways(page)).toBe(false)

  // The menu changes the account too, so that mails and other browsers follow.
  await page.getByRole('button', { name: 'Menü' }).click()
  await page.getByRole('button', { name: /^Edith Clarke/ }).click()
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'English' }).click()
  expect((await saved).status()).toBe(200)
  await expect(page.getByRole('heading', { name: 'My account' })).toBeVisible()
  const account = await page.request.get(`${product.url}/api/v1/account`)
  expect(await account.json()).toMatchObject({ locale: 'en' })
  expect(faults).toEqual([])
})

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** The code that an authenticator app shows for a key in Base32. */
function codeOf(secret: string, step: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return totp(
    Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2)),
    step,
  )
}
