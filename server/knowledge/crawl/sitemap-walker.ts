import type { CrawlDeps } from './page.ts'
import { NOT_A_SITEMAP, type Sitemap } from '../parsers/sitemap.ts'
import { FetchError } from './fetch-error.ts'

/** Pages crawled of one sitemap; further ones are left out. */
export const MAX_PAGES = 500
const MAX_SITEMAPS = 50
const MAX_SITEMAP_DEPTH = 3
const MAX_SITEMAP_BYTES = 10_000_000
const MAX_URL_LENGTH = 2_048

/** The pages that a sitemap and its nested sitemaps list. */
export interface SitemapListing {
  urls: string[]
  /** The sitemap lists more than MAX_PAGES pages. */
  isCut: boolean
}

/** Whether two URLs belong to one site: the same port and host, with or without `www.`. */
export function isSameSite(one: URL, other: URL): boolean {
  const hostOf = ({ host }: URL) => host.replace(/^www\./, '')
  return hostOf(one) === hostOf(other)
}

/**
 * Fetches a sitemap and its nested sitemaps, up to three deep, and returns the pages of its own site,
 * without duplicates. The address of a page stands for its site: the pages of `/sitemap.xml`, else those
 * that the page links. Throws FetchError when the first address fails; nested ones are left out.
 */
export async function walkSitemap(deps: CrawlDeps, address: string): Promise<SitemapListing> {
  const root = new URL(address)
  const urls = new Set<string>()
  const seen = new Set([root.href])
  const queue = [{ address: root.href, depth: 1 }]
  for (const { address: next, depth } of queue) {
    const found = await fetchSitemap(deps, root, next, depth === 1)
    const sitemap = found.isPage ? await findSitemapOf(deps, root, found, depth) : found
    for (const page of sitemap.pages) {
      const url = toPage(page, next, root)
      if (url !== undefined) urls.add(url)
      if (urls.size > MAX_PAGES) return { urls: [...urls].slice(0, MAX_PAGES), isCut: true }
    }
    for (const more of depth < MAX_SITEMAP_DEPTH ? sitemap.sitemaps : []) {
      const url = toPage(more, next, root)
      if (url === undefined || seen.has(url) || seen.size >= MAX_SITEMAPS) continue
      seen.add(url)
      queue.push({ address: url, depth: depth + 1 })
    }
  }
  return { urls: [...urls], isCut: false }
}

/** Returns the sitemap of a page's site, with the page itself; the links of the page without one. */
async function findSitemapOf(
  deps: CrawlDeps,
  root: URL,
  page: Sitemap,
  depth: number,
): Promise<Sitemap> {
  // A page at the address of a sitemap is a mistake of the site, or of the address.
  if (depth > 1) return { pages: [], sitemaps: [] }
  if (/\.(?:xml|txt|gz)$/i.test(root.pathname)) throw new FetchError('permanent', NOT_A_SITEMAP)
  const listed = await fetchSitemap(deps, root, new URL('/sitemap.xml', root).href, false)
  const isListed = !listed.isPage && listed.pages.length + listed.sitemaps.length > 0
  return isListed ? { ...listed, pages: ['', ...listed.pages] } : page
}

/** Returns the normalized URL of a page; undefined for a page of another site. */
function toPage(text: string, base: string, root: URL): string | undefined {
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text, base)
  if (!url || !/^https?:$/.test(url.protocol) || !isSameSite(url, root)) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  // Outdated sitemaps still list http: URLs.
  if (root.protocol === 'https:') url.protocol = 'https:'
  return url.href
}

async function fetchSitemap(
  { fetcher, parser, signal }: CrawlDeps,
  root: URL,
  address: string,
  isFirst: boolean,
): Promise<Sitemap> {
  try {
    const { bytes } = await fetcher.get(address, {
      signal,
      maxBytes: () => MAX_SITEMAP_BYTES,
      checkUrl: async (url) => assertSameSite(root, url),
    })
    const result = await parser.parseSitemap(bytes)
    if ('sitemap' in result) return result.sitemap
    throw new FetchError('permanent', result.problem)
  } catch (error) {
    if (isFirst || !(error instanceof FetchError)) throw error
    return { pages: [], sitemaps: [] }
  }
}

/** Throws FetchError for a URL of another site. */
export function assertSameSite(root: URL, url: URL): void {
  if (isSameSite(root, url)) return
  throw new FetchError('permanent', `It leads to another site (${url.host}).`)
}
