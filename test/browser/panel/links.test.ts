import { expect, test, type Product } from '../fixtures.ts'
import { OWNER, accessFaults, openPanel, scrollsSideways } from './people.ts'

const PASSWORD = 'a long password'

/** The links that mails to somebody carry, the newest first. */
async function linksTo(product: Product, email: string): Promise<string[]> {
  const mails = (await (await fetch(`${product.devUrl}/mail`)).text()).split('<article>')
  return mails
    .filter((mail) => mail.includes(email))
    .flatMap((mail) => mail.match(/\/panel\/[\w-]+#token=[\w-]+/)?.[0] ?? [])
}

async function invite(
  product: Product,
): Promise<{ email: string; links: () => Promise<string[]> }> {
  const email = `${crypto.randomUUID()}@example.com`
  await product.ask('/api/v1/members', { email, role: 'operator' })
  return { email, links: () => linksTo(product, email) }
}

test('an invitation leads to Home, signed in; a newer link takes the place of a spent one', async ({
  page,
  product,
}) => {
  const { email, links } = await invite(product)
  const [spent = ''] = await links()
  await product.ask('/api/v1/members', { email, role: 'operator' })
  const [link = ''] = await links()
  await page.goto(product.url + spent)
  await expect(page).toHaveURL(`${product.url}/panel/invitation`)
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('ask the person who invited you')
  await expect(page.getByLabel('Your name')).toHaveValue('Ada')
  await page.goto(product.url + link)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page).toHaveURL(`${product.url}/panel/invitation`)
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Password').fill('short')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${product.url}/panel`)
  await expect(page.getByText('Ada').first()).toBeVisible()
})

test('a forgotten password is replaced once; a spent link sends another', async ({
  page,
  product,
}) => {
  const { email, links } = await invite(product)
  const [invitation = ''] = await links()
  const token = invitation.split('token=')[1]
  await product.ask('/api/v1/members/accept', { token, name: 'Grace', password: PASSWORD })

  await page.goto(`${product.url}/panel/sign-in`)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible()
  const [reset = ''] = await links()
  expect(reset).toContain('/panel/password#')

  await page.goto(product.url + reset)
  await expect(page).toHaveURL(`${product.url}/panel/password`)
  await page.getByLabel('New password').fill('another long password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()

  await page.goto(product.url + reset)
  await page.getByLabel('New password').fill('yet another password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('used already')
  const before = await links()
  await page.getByText('No code, or is yours too old?').click()
  await page.getByLabel('E-mail').fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText('a link is on its way')).toBeVisible()
  expect(await links()).toHaveLength(before.length + 1)

  await page.goto(`${product.url}/panel/sign-in`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('another long password')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${product.url}/panel`)
})

test('another address is confirmed from its mail', async ({ browser, product }) => {
  const { links } = await invite(product)
  const [invitation = ''] = await links()
  const token = invitation.split('token=')[1]
  const { email } = await product.ask<{ email: string }>('/api/v1/members/accept', {
    token,
    name: 'Edith',
    password: PASSWORD,
  })
  const next = `${crypto.randomUUID()}@example.com`
  const { page } = await openPanel(browser, product, '/account', {
    login: { email, password: PASSWORD },
    locale: 'en-GB',
  })
  await page.getByRole('button', { name: 'Change e-mail' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New e-mail').fill(next)
  await dialog.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText(next).first()).toBeVisible()
  const [link = ''] = await linksTo(product, next)
  await page.goto(product.url + link)
  await expect(page).toHaveURL(`${product.url}/panel/confirm-email`)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText(`You sign in with ${next} now.`)).toBeVisible()
})

for (const [colorScheme, locale] of [
  ['light', 'tr-TR'],
  ['dark', 'en-GB'],
] as const)
  test(`pages of links are accessible and narrow enough, in ${colorScheme} and ${locale}`, async ({
    browser,
    product,
  }) => {
    const context = await browser.newContext({
      bypassCSP: true,
      colorScheme,
      locale,
      reducedMotion: 'reduce',
      viewport: { width: 320, height: 640 },
    })
    const page = await context.newPage()
    for (const path of ['password', 'invitation', 'confirm-email']) {
      await page.goto(`${product.url}/panel/${path}#token=spent`)
      const password = page.locator('input[type=password]')
      if (path !== 'confirm-email') await password.fill(OWNER.password)
      await page.locator('button.primary').first().click()
      await expect(page.getByRole('alert')).toBeVisible()
      expect(await scrollsSideways(page)).toBe(false)
      expect(await accessFaults(page)).toEqual([])
    }
    await context.close()
  })
