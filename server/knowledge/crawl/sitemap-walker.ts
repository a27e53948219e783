import type { CrawlDeps } from './page.ts'
import type { Sitemap } from '../parsers/sitemap.ts'
import { FetchError } from './fetch-error.ts'

/** Of one sitemap; what it names beyond is left out. */
export const MAX_PAGES = 500
const MAX_SITEMAPS = 50
const DEEPEST = 3
const MAX_SITEMAP_BYTES = 10_000_000
const MAX_URL_LENGTH = 2_048

/** The pages that a sitemap and those below it name. */
export interface SitemapListing {
  urls: string[]
  /** It names more than are read. */
  isCut: boolean
}

/** Whether two addresses belong to one site: the same host, with or without `www.`, and port. */
export function isSameSite(one: URL, other: URL): boolean {
  const hostOf = ({ host }: URL) => host.replace(/^www\./, '')
  return hostOf(one) === hostOf(other)
}

/**
 * Reads a sitemap and those that it names, up to three deep, and lists the pages of its own site,
 * each once. Throws `Unreachable` when the first one cannot be read; others are left out.
 */
export async function walkSitemap(tools: CrawlDeps, address: string): Promise<SitemapListing> {
  const root = new URL(address)
  const urls = new Set<string>()
  const seen = new Set([root.href])
  const waiting = [{ address: root.href, depth: 1 }]
  for (const { address: next, depth } of waiting) {
    const sitemap = await readOne(tools, root, next, depth === 1)
    for (const page of sitemap.pages) {
      const url = toPage(page, next, root)
      if (url !== undefined) urls.add(url)
      if (urls.size > MAX_PAGES) return { urls: [...urls].slice(0, MAX_PAGES), isCut: true }
    }
    for (const more of depth < DEEPEST ? sitemap.sitemaps : []) {
      const url = toPage(more, next, root)
      if (url === undefined || seen.has(url) || seen.size >= MAX_SITEMAPS) continue
      seen.add(url)
      waiting.push({ address: url, depth: depth + 1 })
    }
  }
  return { urls: [...urls], isCut: false }
}

/** A page's address in its normal form, where it is of this site. */
function toPage(text: string, base: string, root: URL): string | undefined {
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text, base)
  if (!url || !/^https?:$/.test(url.protocol) || !isSameSite(url, root)) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  // Sitemaps that were never brought up to date still say http.
  if (root.protocol === 'https:') url.protocol = 'https:'
  return url.href
}

async function readOne(
  { web, reader, signal }: CrawlDeps,
  root: URL,
  address: string,
  isFirst: boolean,
): Promise<Sitemap> {
  try {
    const { bytes } = await web.get(address, {
      signal,
      max: () => MAX_SITEMAP_BYTES,
      judge: async (url) => assertSameSite(root, url),
    })
    const result = await reader.readSitemap(bytes)
    if ('sitemap' in result) return result.sitemap
    throw new FetchError('gone', result.problem)
  } catch (error) {
    if (isFirst || !(error instanceof FetchError)) throw error
    return { pages: [], sitemaps: [] }
  }
}

/** Throws where an address of a site leads to another one. */
export function assertSameSite(root: URL, url: URL): void {
  if (isSameSite(root, url)) return
  throw new FetchError('gone', `It leads to another site (${url.host}).`)
}
