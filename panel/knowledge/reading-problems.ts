import type { ReadingProblemWords } from '../locales/en/parts/reading-problems.ts'

type Problem = Exclude<keyof ReadingProblemWords, 'other'>

/**
 * The reasons that the API gives for a document that could not be read, which are English sentences:
 * how one begins, and the panel's word for it. A group in the pattern goes into the sentence; the
 * group `rest` is a reason of its own. The first that fits is taken.
 */
const RULES: readonly (readonly [RegExp, Problem])[] = [
  [/^It could not be read again.*?: (?<rest>.+)/, 'outdated'],
  [/^No page could be read\. The first one: (?<rest>.+)/, 'noPageBecause'],
  [/robots\.txt cannot be read: (?<rest>.+)/, 'robotsUnreadable'],
  [/^The document could not be read/, 'unreadable'],
  [/^The Word file is damaged/, 'wordDamaged'],
  [/^There is no text in this Word/, 'wordWithoutText'],
  [/^The Word file is too large/, 'tooLarge'],
  [/^The (?:file|document) is empty/, 'empty'],
  [/^This is a ZIP archive or an Office file of another/, 'otherOffice'],
  [/^This is an HTML page/, 'htmlAsText'],
  [/^This is .+\. Send Markdown/, 'otherType'],
  [/^This is .+, not \w+\./, 'notText'],
  [/^There is no HTML/, 'notHtml'],
  [/too many sections/, 'tooManySections'],
  [/^There is no text in it/, 'withoutText'],
  [/^The PDF has (\d+) pages; at most (\d+)/, 'pdfTooLong'],
  [/^The PDF holds too much text/, 'tooLarge'],
  [/^There is no text in this PDF/, 'pdfScan'],
  [/^The PDF is locked/, 'pdfLocked'],
  [/^The PDF is damaged/, 'pdfDamaged'],
  [/too much memory|takes too long to read/, 'tooHeavy'],
  [/^This is no sitemap/, 'notSitemap'],
  [/^The sitemap is too large/, 'sitemapTooLarge'],
  [/^The sitemap is damaged/, 'sitemapDamaged'],
  [/^The sitemap names no page/, 'sitemapEmpty'],
  [/^Only the first (\d+) pages/, 'sitemapCut'],
  [/robots\.txt does not let (\w+)/, 'robots'],
  [/noindex/, 'noIndex'],
  [/^There is no page at this address \(status (\d+)/, 'noPage'],
  [/refuses to show this page \(status (\d+)/, 'refused'],
  [/gave no page \(status (\d+)/, 'failing'],
  [/took too long to answer/, 'timeout'],
  [/in a circle|one that nobody can read/, 'redirects'],
  [/^The page is larger than ([\d.]+) MB/, 'pageTooLarge'],
  [/^The site was not found|must be a public/, 'notFound'],
  [/refuses connections|broke the connection off/, 'unreachable'],
  [/^The certificate/, 'certificate'],
  [/answer of the site is damaged|did not answer as a website/, 'badAnswer'],
  [/^It leads to another site \((.+)\)/, 'otherSite'],
  [/^The site stopped answering/, 'siteDown'],
  [/too slow to be read whole/, 'siteSlow'],
  [/^This is a copy of (.+), which/, 'copy'],
  [/^No page could be read/, 'noPages'],
  [/may have (\d+) passages/, 'tooManyPassages'],
  [/too large to be searched/, 'unsearchable'],
  [/full URL|^A URL|^The URL|^The port/, 'address'],
]

/**
 * Returns why a document could not be read and what to do, in the reader's language; `undefined` for
 * a reason that the panel does not know.
 */
export function explainReading(reason: string, words: ReadingProblemWords): string | undefined {
  for (const [pattern, problem] of RULES) {
    const found = pattern.exec(reason)
    if (!found) continue
    const rest = found.groups?.rest
    if (rest !== undefined) {
      return words[problem](explainReading(rest, words) ?? words.other(rest, ''), '')
    }
    return words[problem](found[1] ?? '', found[2] ?? '')
  }
  return undefined
}
