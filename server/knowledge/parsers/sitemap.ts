import { Parser } from 'htmlparser2'
import { readXml } from './xml.ts'

export const NOT_A_SITEMAP =
  'This is no sitemap. Give the address of a sitemap.xml, or add the page itself.'

/** URLs of a sitemap, as they are written. */
export interface Sitemap {
  pages: string[]
  sitemaps: string[]
  /** Set for a page in place of a sitemap: `pages` are its links, the page itself (``) first. */
  isPage?: true
}

/** URLs of a kind; further ones are left out. */
const MAX_LISTED = 50_000

/** Links to what is no page. */
const NO_PAGE =
  /\.(?:avif|css|csv|docx?|gif|ico|jpe?g|js|json|mp[34]|png|pptx?|svg|webp|xlsx?|xml|zip)$/i

/**
 * Parses a sitemap: XML (sitemaps.org), plain text with a URL on each line, or the links of a page;
 * undefined for other text.
 */
export function readSitemap(source: string): Sitemap | undefined {
  if (/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/i.test(source.slice(0, 5_000))) return fromXml(source)
  if (/<(?:!doctype html|html|head|body|a)[\s>]/i.test(source.slice(0, 5_000)))
    return fromPage(source)
  if (source.includes('<')) return undefined
  const pages = source
    .split(/\s+/)
    .filter((line) => /^https?:\/\//i.test(line))
    .slice(0, MAX_LISTED)
  return pages.length > 0 ? { pages, sitemaps: [] } : undefined
}

function fromPage(source: string): Sitemap {
  const links = new Set([''])
  const parser = new Parser({
    onopentag(name, { href = '', rel = '' }) {
      const path = href.trim().split(/[?#]/)[0] ?? ''
      const isFollowed = name === 'a' && path !== '' && !/\bnofollow\b/i.test(rel)
      if (isFollowed && !NO_PAGE.test(path) && links.size < MAX_LISTED) links.add(href.trim())
    },
  })
  parser.end(source)
  return { pages: [...links], sitemaps: [], isPage: true }
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
