import type { Tools } from './pages.ts'
import type { Sitemap } from './sitemap.ts'
import { Unreachable } from './unreachable.ts'

/** Of one sitemap; what it names beyond is left out. */
export const MOST_PAGES = 500
const MOST_SITEMAPS = 50
const DEEPEST = 3
const MOST_SITEMAP_BYTES = 10_000_000
const LONGEST_URL = 2_048

/** The pages that a sitemap and those below it name. */
export interface Listing {
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
export async function listSite(tools: Tools, address: string): Promise<Listing> {
  const root = new URL(address)
  const urls = new Set<string>()
  const seen = new Set([root.href])
  const waiting = [{ address: root.href, depth: 1 }]
  for (const { address: next, depth } of waiting) {
    const sitemap = await readOne(tools, root, next, depth === 1)
    for (const page of sitemap.pages) {
      const url = toPage(page, next, root)
      if (url !== undefined) urls.add(url)
      if (urls.size > MOST_PAGES) return { urls: [...urls].slice(0, MOST_PAGES), isCut: true }
    }
    for (const more of depth < DEEPEST ? sitemap.sitemaps : []) {
      const url = toPage(more, next, root)
      if (url === undefined || seen.has(url) || seen.size >= MOST_SITEMAPS) continue
      seen.add(url)
      waiting.push({ address: url, depth: depth + 1 })
    }
  }
  return { urls: [...urls], isCut: false }
}

/** A page's address in its normal form, where it is of this site. */
function toPage(text: string, base: string, root: URL): string | undefined {
  const url = text.length > LONGEST_URL ? null : URL.parse(text, base)
  if (!url || !/^https?:$/.test(url.protocol) || !isSameSite(url, root)) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  // Sitemaps that were never brought up to date still say http.
  if (root.protocol === 'https:') url.protocol = 'https:'
  return url.href
}

async function readOne(
  { web, reader, signal }: Tools,
  root: URL,
  address: string,
  isFirst: boolean,
): Promise<Sitemap> {
  try {
    const { bytes } = await web.get(address, {
      signal,
      most: () => MOST_SITEMAP_BYTES,
      judge: async (url) => refuseOtherSite(root, url),
    })
    const result = await reader.readSitemap(bytes)
    if ('sitemap' in result) return result.sitemap
    throw new Unreachable('gone', result.problem)
  } catch (error) {
    if (isFirst || !(error instanceof Unreachable)) throw error
    return { pages: [], sitemaps: [] }
  }
}

/** Throws where an address of a site leads to another one. */
export function refuseOtherSite(root: URL, url: URL): void {
  if (isSameSite(root, url)) return
  throw new Unreachable('gone', `It leads to another site (${url.host}).`)
}
