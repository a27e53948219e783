import { readXml } from './xml.ts'

/** URLs of a sitemap, as they are written. */
export interface Sitemap {
  pages: string[]
  sitemaps: string[]
}

/** URLs of a kind; further ones are left out. */
const MAX_LISTED = 50_000

/** Parses a sitemap: XML (sitemaps.org), or plain text with a URL on each line; undefined for other text. */
export function readSitemap(source: string): Sitemap | undefined {
  if (/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/i.test(source.slice(0, 5_000))) return fromXml(source)
  if (source.includes('<')) return undefined
  const pages = source
    .split(/\s+/)
    .filter((line) => /^https?:\/\//i.test(line))
    .slice(0, MAX_LISTED)
  return pages.length > 0 ? { pages, sitemaps: [] } : undefined
}

function fromXml(source: string): Sitemap {
  const found: Sitemap = { pages: [], sitemaps: [] }
  let list: string[] | undefined
  let address: string | undefined
  readXml(source, {
    open(name) {
      const local = name.slice(name.indexOf(':') + 1)
      if (local === 'url') list = found.pages
      else if (local === 'sitemap') list = found.sitemaps
      // The images and videos of a page have URLs of their own, with a prefix.
      else if (name === 'loc' || (local === 'loc' && !/^(?:image|video):/.test(name))) address = ''
    },
    text(text) {
      if (address !== undefined) address += text
    },
    close(name) {
      if (!name.endsWith('loc') || address === undefined) return
      const trimmed = address.trim()
      address = undefined
      if (trimmed !== '' && list && list.length < MAX_LISTED) list.push(trimmed)
    },
  })
  return found
}
