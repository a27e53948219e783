import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { targetPolicy } from '../../../server/net/target.ts'
import { Fetcher } from '../../../server/knowledge/crawl/fetcher.ts'
import { type Site, type SitePage, startSite } from '../../helpers/servers/site.ts'

const TIMEOUT_MS = 400
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function openWeb(allowed = ['127.0.0.1/32']): { web: Fetcher; refused: string[] } {
  const refused: string[] = []
  const web = new Fetcher({
    policy: targetPolicy({ allowPrivateTargets: false, allowedTargetCidrs: allowed }),
    version: '1.2.3',
    onBlocked: (url) => refused.push(url),
    timeoutMs: TIMEOUT_MS,
  })
  closing.push(() => web.close())
  return { web, refused }
}

async function openSite(pages: Record<string, SitePage>): Promise<Site> {
  const site = await startSite(pages)
  closing.push(() => site.close())
  return site
}

/** A server that speaks bytes of its own choice, again and again. */
async function openRaw(first: string, again?: string): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write(first)
    const timer = again === undefined ? undefined : setInterval(() => socket.write(again), 20)
    socket.on('close', () => clearInterval(timer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
}

function get(web: Fetcher, url: string) {
  return web.get(url, { maxBytes: () => 100_000, signal: new AbortController().signal })
}

test.each<[string, string, string | undefined]>([
  ['is silent', '', undefined],
  ['drips its head', 'HTTP/1.1 200 OK\r\nx-long: ', 'x'],
  ['drips its body', 'HTTP/1.1 200 OK\r\ncontent-length: 90000\r\n\r\n', 'x'],
  ['drips in chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
  ['says that it is working on it, for ever', 'HTTP/1.1 102 P\r\n\r\n', 'HTTP/1.1 102 P\r\n\r\n'],
])('gives up on a site that %s', async (_, first, again) => {
  const { web } = openWeb()
  const url = await openRaw(first, again)
  await expect(get(web, url)).rejects.toThrow('took too long')
})

test.each<[string, string]>([
  ['no HTTP', '220 mail.example.com ESMTP\r\n\r\n'],
  ['a head without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`],
])('gives up on a site that answers %s', async (_, first) => {
  const { web } = openWeb()
  await expect(get(web, await openRaw(first))).rejects.toThrow(/not answer as a website|too long/)
})

test('follows at most five redirects', async () => {
  const pages: Record<string, SitePage> = { '/9': 'the end' }
  for (let at = 0; at < 9; at += 1) {
    pages[`/${at}`] = { status: 307, headers: { location: `/${at + 1}` } }
  }
  const site = await openSite(pages)
  const { web } = openWeb()
  expect((await get(web, `${site.url}/4`)).bytes.toString()).toBe('the end')
  await expect(get(web, `${site.url}/3`)).rejects.toThrow('through too many')
})

test.each([
  'http://127.0.0.2/',
  'https://127.0.0.2:8443/',
  'https://[::1]:8443/',
  'https://[::ffff:127.0.0.2]/',
  'https://0x7f000002/',
  'https://2130706434/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00::1]/',
  'https://user:password@127.0.0.1/',
  '//10.1.2.3/',
])('does not follow a redirect to %s', async (location) => {
  const site = await openSite({ '/': { status: 302, headers: { location } } })
  const { web } = openWeb()
  await expect(get(web, `${site.url}/`)).rejects.toThrow(/must|may not/)
})

test('tells the operator, and not the customer, which address a name led to', async () => {
  const { web, refused } = openWeb(['10.0.0.0/8'])
  await expect(get(web, 'http://localhost:8080/')).rejects.toThrow(
    'The site was not found, or its address is not a public one.',
  )
  expect(refused).toEqual(['http://localhost:8080/'])
})

test('asks a host for two pages at a time', async () => {
  const slow: SitePage = (_request, response) => {
    setTimeout(() => response.end('x'), 20)
  }
  const paths = Array.from({ length: 10 }, (_, at) => `/${at}`)
  const site = await openSite(Object.fromEntries(paths.map((path) => [path, slow])))
  const { web } = openWeb()
  await Promise.all(paths.map((path) => get(web, site.url + path)))
  expect(site.max).toBe(2)
})
