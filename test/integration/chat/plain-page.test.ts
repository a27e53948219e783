import { beforeAll, expect, test } from 'vitest'
import type { ManagedLead } from '../../../server/leads/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addDocument, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnDatabase('the conversation page without scripts', (database) => {
  let shop: TestWorkspace

  const product = useProduct(database, { settings: { LIMIT_MESSAGE: '6' } })
  beforeAll(async () => {
    shop = await addWorkspace(product)
    await addDocument(product, shop, {
      title: 'Hours',
      url: 'https://shop.example/hours',
      content: 'We are open at nine.',
    })
  })

  /** A browser that keeps its cookie and follows where it is sent. */
  function openBrowser() {
    let cookie = ''
    const page = `${product.url}/chat/${shop.tenantId}`
    const go = async (
      init: { method?: string; body?: URLSearchParams; headers?: Record<string, string> } = {},
    ): Promise<{ status: number; html: string }> => {
      const response = await fetch(`${page}?locale=en`, {
        redirect: 'manual',
        ...init,
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(cookie ? { cookie } : {}),
          ...init.headers,
        },
      })
      const [given = ''] = response.headers.getSetCookie()
      if (given) cookie = given.split(';')[0] ?? ''
      return response.status === 303
        ? go()
        : { status: response.status, html: await response.text() }
    }
    const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      go({ method: 'POST', body: new URLSearchParams(fields), headers })
    return { go, post, cookie: () => cookie }
  }
  const idIn = (html: string): string => /name="id" value="([^"]+)"/.exec(html)?.[1] ?? ''

  test('answers, once however often the form is sent, and shows it to nobody else', async () => {
    const browser = openBrowser()
    const first = await browser.go()
    expect(first.html).not.toContain('<script')
    const fields = { message: 'When do you open?', id: idIn(first.html) }
    const { html } = await browser.post(fields)
    expect(html).toContain('open at nine')
    expect(html).toContain('href="https://shop.example/hours#:~:text=We%20are%20open%20at%20nine."')
    const again = await browser.post(fields)
    expect(again.html.match(/When do you open\?/g)).toHaveLength(1)
    expect((await openBrowser().go()).html).not.toContain('When do you open?')
  })

  test('asks only for what the site wants, and names its privacy policy', async () => {
    const policy_url = 'https://shop.example/privacy'
    const path = `/api/v1/tenants/${shop.tenantId}`
    const change = (body: object) =>
      product.call(path, { method: 'PATCH', token: shop.token, body })
    await change({ forms: { lead: { required: ['email'] } }, privacy: { policy_url } })
    const browser = openBrowser()
    const { html } = await browser.go()
    expect(html).toContain(`href="${policy_url}"`)
    expect(html).toContain('name="email"')
    expect(html).not.toContain('name="phone"')
    const taken = await browser.post({ email: 'one@example.com' })
    expect(taken.html).toContain('Thank you!')
    await change({ forms: {}, privacy: {} })
  })

  test('takes contact details, and says when they do not fit', async () => {
    const browser = openBrowser()
    const wrong = { name: 'Ayşe "A" <b>', phone: '123', email: 'ayse@example.com' }
    const refused = await browser.post(wrong)
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('value="Ayşe &quot;A&quot; &lt;b&gt;"')
    expect(refused.html).toContain('aria-describedby="phone-wrong"')
    expect(refused.html).not.toContain('email-wrong')
    const { html } = await browser.post({ ...wrong, phone: '+905321234567' })
    expect(html).toContain('Thank you!')
    const leads = await product.call<Page<ManagedLead>>('/api/v1/leads', {
      token: shop.token,
    })
    expect(leads.body.data[0]?.email).toBe('ayse@example.com')
  })

  test('asks for a person, and deletes what was said', async () => {
    const browser = openBrowser()
    const id = idIn((await browser.go()).html)
    await browser.post({ message: 'Hello', id })
    expect((await browser.post({ wish: 'person' })).html).toContain("We've told our team")
    const erased = await browser.post({ wish: 'erase' })
    expect(erased.html).toContain('was deleted')
    expect(erased.html).not.toContain('Hello</div>')
  })

  test('may load nothing, run nothing and be framed by nobody', async () => {
    const { headers } = await fetch(`${product.url}/chat/${shop.tenantId}`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/script-src|unsafe/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.getSetCookie()).toEqual([])
  })

  test('may be framed by the pages that may embed the chat, and by no other', async () => {
    const own = await addWorkspace(product)
    const allowed_origins = ['https://www.shop.example', 'http://localhost:8080']
    const path = `/api/v1/tenants/${own.tenantId}`
    await product.call(path, { method: 'PATCH', token: own.token, body: { allowed_origins } })
    const { headers } = await fetch(`${product.url}/chat/${own.tenantId}`)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain('frame-ancestors https://www.shop.example http://localhost:8080;')
    expect(headers.get('x-frame-options')).toBeNull()
  })

  test('holds a conversation in a frame whose browser keeps no cookie', async () => {
    const page = `${product.url}/chat/${shop.tenantId}?locale=en`
    const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }
    const post = async (fields: Record<string, string>) => {
      const body = new URLSearchParams(fields)
      const response = await fetch(page, { method: 'POST', body, headers, redirect: 'manual' })
      expect(response.status).toBe(200)
      const html = await response.text()
      const visitor = /name="visitor" value="([^"]+)"/.exec(html)?.[1] ?? ''
      return { html, visitor, id: idIn(html), cookie: response.headers.getSetCookie()[0] }
    }
    const first = await post({ message: 'When do you open?', id: 'req_framed_question' })
    expect(first.html).toContain('open at nine')
    expect(first.cookie).toMatch(/; HttpOnly; Secure; Partitioned; SameSite=None/)
    const { visitor, id } = first
    const second = await post({ message: 'And on Monday?', id, visitor })
    expect(second.html).toContain('When do you open?')
    expect(second.html).toContain('And on Monday?')
    const refreshed = await post({ wish: 'refresh', visitor })
    expect(refreshed.html).toContain('And on Monday?')
    // The token of one site opens nothing on another.
    const other = await addWorkspace(product)
    const elsewhere = await fetch(`${product.url}/chat/${other.tenantId}?locale=en`, {
      method: 'POST',
      body: new URLSearchParams({ wish: 'refresh', visitor }),
      headers,
    })
    expect(await elsewhere.text()).not.toContain('When do you open?')
  })

  test('takes nothing from the forms of other sites, and nothing it does not know', async () => {
    const { post } = openBrowser()
    const fields = { message: 'Hello', id: 'req_00000000000000000000' }
    expect((await post(fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await post({ ...fields, more: 'x' })).status).toBe(422)
    const gone = await fetch(`${product.url}/chat/no-such-tenant?locale=tr`)
    expect(gone.status).toBe(404)
    expect(await gone.text()).toContain('Bu adreste artık bir sohbet yok.')
  })

  test('shows a visitor of one site nothing on another', async () => {
    const other = await addWorkspace(product)
    const browser = openBrowser()
    const { html } = await browser.go()
    await browser.post({ message: 'A secret of mine', id: idIn(html) })
    const there = await fetch(`${product.url}/chat/${other.tenantId}`, {
      headers: { cookie: browser.cookie() },
    })
    expect(await there.text()).not.toContain('A secret of mine')
  })

  test('says in words when somebody writes too much', async () => {
    const browser = openBrowser()
    let seen = await browser.go()
    for (let count = 0; seen.status === 200 && count < 10; count += 1) {
      seen = await browser.post({ wish: 'erase' })
    }
    expect(seen.status).toBe(429)
    expect(seen.html).toContain('try again in a minute')
  })
})
