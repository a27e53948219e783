import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Page } from '@playwright/test'
import { axeOn, expect, OPERATOR_TOKEN, test, type Product } from '../fixtures.ts'

const OWNER = { email: 'owner@example.com', password: 'a long password' }

interface Receiver {
  url: string
  /** The status of its answers. */
  status: number
  events: string[]
  close(): void
}

async function startReceiver(status: number): Promise<Receiver> {
  const server: Server = createServer((request, response) => {
    receiver.events.push(String(request.headers['x-svc-event'] ?? request.headers['webhook-id']))
    request.resume()
    request.on('end', () => response.writeHead(receiver.status).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    status,
    events: [],
    close: () => server.close(),
  }
  return receiver
}

async function signIn(page: Page, product: Product, who = OWNER): Promise<void> {
  const { request } = page.context()
  const answer = await request.post(`${product.url}/api/v1/auth/login`, {
    data: { email: who.email, password: who.password },
    headers: { origin: product.url },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** A workspace of its own with an owner, made by the operator of the installation. */
async function addWorkspace(product: Product, name: string, credits: number) {
  const owner = { email: `${name}@example.com`, name, password: 'a long password' }
  const answer = await operatorCall(product, 'workspaces', {
    name,
    plan: 'klinik_pro',
    locale: 'en',
    owner,
    monthly_credits: credits,
  })
  const { ws_id: id }: { ws_id: string } = await answer.json()
  return { id, email: owner.email, password: owner.password }
}

async function operatorCall(
  product: Product,
  path: string,
  body: object,
  method = 'POST',
): Promise<Response> {
  const answer = await fetch(`${product.url}/api/v1/operator/${path}`, {
    method,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer
}

async function expectNarrow(page: Page): Promise<void> {
  const width = await page.locator('html').evaluate((root) => root.scrollWidth)
  expect(width).toBeLessThanOrEqual(await page.evaluate(() => innerWidth))
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await axeOn(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

test('a disabled webhook says why, and is tried again once it is repaired', async ({
  page,
  product,
}) => {
  const receiver = await startReceiver(500)
  await product.ask('/api/v1/webhooks', { url: receiver.url, events: ['chatbot.message'] })
  await signIn(page, product)
  await page.goto(`${product.url}/panel/webhooks`)
  await page.getByRole('link', { name: receiver.url }).click()
  await expect(page.getByText('Nothing is sent to this address')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('still does not answer as it should: HTTP 500')).toBeVisible()
  receiver.status = 204
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The address answers again.')).toBeVisible()
  await expect(page.getByText('Works', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect(page.getByText('The sample has arrived.')).toBeVisible()
  expect(receiver.events.at(-1)).toBe('chatbot.message')
  receiver.close()
})

test('a secret is shown once, with code that verifies it', async ({ page, product }) => {
  const receiver = await startReceiver(204)
  await signIn(page, product)
  await page.goto(`${product.url}/panel/webhooks`)
  await page.getByRole('button', { name: 'Add subscription' }).click()
  await page.getByLabel('Address').fill(receiver.url)
  await page.getByLabel('A visitor wrote').check()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Keep this secret' })
  await expect(dialog.getByLabel('Secret', { exact: true })).toContainText(/\w{32}/)
  await dialog.getByRole('button', { name: 'PHP' }).click()
  await expect(dialog).toContainText('hash_hmac')
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  await expect(page.getByRole('link', { name: receiver.url })).toBeVisible()
  receiver.close()
})

test('an operator sends a dead letter again, and makes no rules', async ({ page, product }) => {
  const receiver = await startReceiver(500)
  const rule = { name: 'To the CRM', event: 'session.started', url: receiver.url }
  await product.ask('/api/v1/webhooks/rules-engine/rules', rule)
  const visitor = await fetch(`${product.url}/api/v1/auth/visitor`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: product.tenant }),
  })
  const { access_token: token }: { access_token: string } = await visitor.json()
  await fetch(`${product.url}/api/v1/chatbot/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ tenant_id: product.tenant }),
  })
  const email = 'night-shift@example.com'
  await product.ask('/api/v1/members', { email, role: 'operator', name: 'Ada' })
  const mails = await (await fetch(`${product.devUrl}/mail`)).text()
  const link = mails.split('<article>').find((mail) => mail.includes(email))
  const invitation = link?.match(/#token=([\w-]+)/)?.[1] ?? ''
  await fetch(`${product.url}/api/v1/members/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: invitation, name: 'Ada', password: OWNER.password }),
  })
  await signIn(page, product, { email, password: OWNER.password })
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(async () => {
    await page.goto(`${product.url}/panel/webhooks`)
    await expect(page.getByText('session.started')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByRole('link', { name: 'Rules' })).toHaveCount(0)
  await expectAccessible(page)
  await expectNarrow(page)
  receiver.status = 204
  receiver.events.length = 0
  // Receivers of other tests are gone, so there may be letters of other events.
  const letter = page.locator('tr').filter({ hasText: 'session.started' })
  await letter.getByRole('button', { name: 'Send again', exact: true }).click()
  await expect(page.getByText('It goes out again.')).toBeVisible()
  await expect(letter).toHaveCount(0)
  await expect(() => expect(receiver.events).toHaveLength(1)).toPass()
  receiver.close()
})

test('the bar turns orange at 100 credits and red at none', async ({ page, product }) => {
  const poor = await addWorkspace(product, 'frugal', 101)
  await signIn(page, product, poor)
  const setCredits = (credits: number) =>
    operatorCall(product, `workspaces/${poor.id}`, { monthly_credits: credits }, 'PATCH')
  const bar = page.locator('.banner')
  await page.goto(`${product.url}/panel/credits`)
  await expect(page.locator('.balance')).toContainText('101')
  await expect(bar).toHaveCount(0)
  await expectAccessible(page)
  await setCredits(100)
  await page.reload()
  await expect(bar).toContainText('100 credits are left')
  await expect(page.locator('.progress')).toHaveClass(/warn/)
  await setCredits(0)
  await page.goto(`${product.url}/panel/reports`)
  await expect(bar).toHaveClass(/wrong/)
  await expect(bar).toContainText('No credits are left')
})

test('the console of the installation opens with its token', async ({ page, product }) => {
  const { id } = await addWorkspace(product, 'suspendable', 500)
  await page.goto(`${product.url}/panel/operator`)
  await page.getByLabel('OPERATOR_TOKEN').fill('a wrong token')
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByLabel('OPERATOR_TOKEN').fill(OPERATOR_TOKEN)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('link', { name: 'suspendable' }).click()
  await expect(page).toHaveURL(new RegExp(id))
  await page.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByText('Suspended', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Suspended', { exact: true })).toHaveCount(0)
  await page.goto(`${product.url}/panel/operator/health`)
  await expect(page.getByRole('table', { name: 'Queues' })).toContainText('Webhook deliveries')
  await page.getByRole('button', { name: 'Examine' }).click()
  await expect(page.getByRole('table', { name: 'Doctor' })).toContainText('Set SMTP_URL.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Türkçe' }).click()
  await expect(page.getByRole('heading', { name: 'Sağlık' })).toBeVisible()
})
