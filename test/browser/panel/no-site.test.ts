import { expect, OPERATOR_TOKEN, test, type Product } from '../fixtures.ts'
import { accessFaults, openPanel } from './people.ts'

/** A workspace whose owner has added no site. Returns the owner's login. */
async function addEmptyWorkspace(product: Product): Promise<{ email: string; password: string }> {
  const login = { email: `${crypto.randomUUID()}@example.com`, password: 'a long password' }
  const post = (path: string, body: object, token?: string): Promise<Response> =>
    fetch(product.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
  const workspace = { name: 'Yeni', plan: 'klinik_pro', locale: 'tr', monthly_credits: 500 }
  const owner = { ...login, name: 'Can' }
  const added = await post('/api/v1/operator/workspaces', { ...workspace, owner }, OPERATOR_TOKEN)
  expect(added.status).toBe(201)
  const { access_token: token }: { access_token: string } = await (
    await post('/api/v1/auth/token', login)
  ).json()
  const inputs = { text: 'Dokuzda açıyoruz. Otopark ücretsiz. İngilizce biliyoruz.', sentences: 1 }
  const run = await post('/api/v1/prompts/execute', { prompt_id: 'summary', inputs }, token)
  expect(run.status).toBe(200)
  return login
}

test('a workspace without a site sees a chat to come, and what its prompts cost', async ({
  browser,
  product,
}) => {
  const login = await addEmptyWorkspace(product)
  const { page, faults } = await openPanel(browser, product, '/widget', { login })
  const chat = page.frameLocator('iframe')
  await expect(chat.getByRole('dialog').getByText('Siteniz').first()).toBeVisible()
  expect(await accessFaults(page)).toEqual([])

  await page.getByRole('link', { name: 'Site ekle' }).click()
  await expect(chat.getByRole('dialog').getByText('Siteniz').first()).toBeVisible()
  await page.getByLabel('Sitenin adı').fill('Ada Kahve')
  await expect(chat.getByRole('dialog').getByText('Ada Kahve').first()).toBeVisible()

  await page.goto(`${product.url}/panel/credits`)
  await expect(page.getByRole('heading', { name: 'Hiçbir site kredi kullanmadı' })).toBeVisible()
  await expect(page.getByText(/^Sitesiz çalışan promptlar \d+ kredi kullandı/)).toBeVisible()
  expect(faults).toEqual([])
})
