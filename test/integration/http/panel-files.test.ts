import { expect, test } from 'vitest'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnDatabase('the panel', (database) => {
  const product = useProduct(database)

  test('is one page at every address below /panel, and the front door leads there', async () => {
    for (const path of ['/panel', '/panel/inbox/ses_123', '/panel/sign-in']) {
      const response = await fetch(product.url + path)
      expect(response.status, path).toBe(200)
      expect(await response.text(), path).toContain('id="panel"')
    }
    const front = await fetch(product.url, { redirect: 'manual' })
    expect(front.headers.get('location')).toBe('/panel')
  })

  test('runs under a policy without anything inline, with Trusted Types', async () => {
    const response = await fetch(`${product.url}/panel`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("frame-ancestors 'none'")
    const page = await response.text()
    expect(page, 'an inline script or style').not.toMatch(/<script(?![^>]*src)|<style|style="/)
  })

  test('has a service worker of its own, and names early what a page needs', async () => {
    const worker = await fetch(`${product.url}/panel/worker.js`)
    expect(worker.headers.get('content-type')).toContain('text/javascript')
    expect(worker.headers.get('cache-control')).toBe('no-cache')
    expect(worker.headers.get('content-security-policy')).toBe("default-src 'none'")
    expect((await fetch(`${product.url}/panel`)).headers.get('link')).toBeNull()
    const headers = { cookie: 'svc_session=something' }
    const turkish = { ...headers, 'accept-language': 'tr-TR,tr;q=0.9' }
    const home = (await fetch(`${product.url}/panel`, { headers: turkish })).headers.get('link')
    expect(home).toContain('</api/v1/auth/me>; rel=preload')
    expect(home).toContain('</api/v1/overview>; rel=preload')
    for (const [, file] of home?.matchAll(/<([^>]+)>; rel=modulepreload/g) ?? []) {
      expect((await fetch(product.url + file)).status, file).toBe(200)
    }
    const inbox = await fetch(`${product.url}/panel/inbox/ses_1?view=mine`, { headers })
    expect(inbox.headers.get('link')).toMatch(/assets\/page-[\w-]+\.js>; rel=modulepreload/)
    expect(inbox.headers.get('link')).not.toContain('overview')
  })

  test('keeps its files for a year, and answers 404 for a file of another version', async () => {
    const page = await (await fetch(`${product.url}/panel`)).text()
    const script = /src="(\/panel\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
    const found = await fetch(product.url + script)
    expect(found.headers.get('cache-control')).toContain('immutable')
    const missing = await fetch(`${product.url}/panel/assets/index-00000000.js`)
    expect(missing.status).toBe(404)
  })
})
