import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** The response of a page of a site. */
export type SitePage =
  | string
  | {
      status?: number
      headers?: Record<string, string | string[]>
      body?: string | Uint8Array
    }
  | ((request: IncomingMessage, response: ServerResponse) => void)

/** A website on loopback. Pages can be changed at any time; every request is written down. */
export interface Site {
  url: string
  pages: Map<string, SitePage>
  asked: { path: string; headers: IncomingMessage['headers'] }[]
  /** The most requests that were open at once. */
  max: number
  close(): Promise<void>
}

/** Starts a website with these pages by path; whatever is not there is 404. */
export async function startSite(pages: Record<string, SitePage> = {}): Promise<Site> {
  let open = 0
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    site.asked.push({ path, headers: request.headers })
    open += 1
    site.max = Math.max(site.max, open)
    response.on('close', () => {
      open -= 1
    })
    answer(site.pages.get(path) ?? { status: 404, body: 'nothing' }, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const site: Site = {
    url: `http://127.0.0.1:${port}`,
    pages: new Map(Object.entries(pages)),
    asked: [],
    max: 0,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return site
}

function answer(page: SitePage, request: IncomingMessage, response: ServerResponse): void {
  if (typeof page === 'function') {
    page(request, response)
    return
  }
  const { status = 200, headers = {}, body = '' } = typeof page === 'string' ? { body: page } : page
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
  response.end(body)
}

/** A page with a title and a text, as sites have them: with a menu and a footer around. */
export function htmlPage(title: string, text: string, head = ''): string {
  return `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>
<nav><a href="/">Ana sayfa</a> <a href="/sepet">Sepetim</a></nav>
<main><h1>${title}</h1><p>${text}</p></main>
<footer>Bu altbilgi her sayfada vardır.</footer></body></html>`
}

/** A sitemap of these addresses. */
export function sitemapOf(urls: readonly string[]): string {
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`
}
