type Sentence = (what: string, most: string) => string

const sentences = {
  outdated: (why) => `Could not be read again, so the earlier text is used. ${why}`,
  noPageBecause: (why) => `None of its pages could be read. The first one: ${why}`,
  robotsUnreadable: (why) => `Its robots.txt could not be read. ${why}`,
  unreadable: () => 'This file could not be read. Save it again, or as PDF, and upload that.',
  wordDamaged: () => 'The Word file is damaged. Save it again and upload that.',
  wordWithoutText: () => 'The Word file has no text, only pictures or nothing. Add text to it.',
  tooLarge: () => 'There is too much text in this file. Split it into several.',
  empty: () => 'The file is empty. Upload one with text.',
  otherOffice: () =>
    'Office files of this kind and archives are not read. Save it as PDF or Word (.docx).',
  htmlAsText: () => 'This is an HTML page. Add it as HTML, or paste its text.',
  otherType: () =>
    'Files of this kind are not read. Use PDF, Word (.docx), Markdown, HTML or text.',
  notText: () => 'This is a file, not text. Upload it as a file, or paste its text.',
  notHtml: () => 'There is no HTML in it. Add it as text.',
  tooManySections: () => 'It has too many sections. Split it into several documents.',
  withoutText: () => 'There is no text in it. Add a document with text.',
  pdfTooLong: (pages, most) => `The PDF has ${pages} pages; at most ${most} are read. Split it.`,
  pdfScan: () =>
    'The PDF has no text; it seems to be a scan. Run text recognition (OCR) on it first.',
  pdfLocked: () => 'The PDF has a password. Upload one without.',
  pdfDamaged: () => 'The PDF is damaged. Export it again and upload that.',
  tooHeavy: () => 'Reading it takes too long. Split it into several files.',
  notSitemap: () =>
    'This is not a sitemap. Give the address of a sitemap.xml, or add the page itself.',
  sitemapTooLarge: () => 'The sitemap is too large. Split it, or add pages one by one.',
  sitemapDamaged: () => 'The sitemap is damaged. Have it generated again.',
  sitemapEmpty: () => 'The sitemap lists no page of its own site. Check the addresses in it.',
  sitemapCut: (most) => `Only the first ${most} pages of the sitemap are read.`,
  robots: (robot) =>
    `The site’s robots.txt forbids reading this page. Allow ${robot}, or paste its text.`,
  noIndex: () => 'The page asks not to be indexed (noindex). Allow it, or paste its text.',
  noPage: (status) => `There is no page at this address (${status}). Check the address.`,
  refused: (status) =>
    `The site refuses to show this page (${status}). Make it public, or paste its text.`,
  failing: (status) => `The site answered with an error (${status}). Read it again later.`,
  timeout: () => 'The site took too long to answer. Read it again later.',
  redirects: () => 'The address redirects in a circle or to a wrong place. Check the address.',
  pageTooLarge: (size) => `The page is larger than ${size} MB. Add its text in parts.`,
  notFound: () => 'The site was not found, or is not public. Check the address.',
  unreachable: () => 'The site refused or broke the connection. Read it again later.',
  certificate: () => 'The site’s certificate is not valid. Renew it, then read the page again.',
  badAnswer: () => 'The site’s answer could not be understood. Check the address.',
  otherSite: (host) => `The address leads to another site (${host}). Add that one instead.`,
  siteDown: () => 'The site stopped answering. The rest is read later.',
  siteSlow: () => 'The site is too slow to be read whole. The rest is read next time.',
  copy: (address) => `This is a copy of ${address}, which is read instead.`,
  noPages: () => 'None of its pages could be read.',
  tooManyPassages: (most) =>
    `A site can have ${most} passages, and this would be more. Remove other documents.`,
  unsearchable: () =>
    'The site has too many documents to be searched. Remove those it does not need.',
  address: () => 'The address cannot be used. Give a full public one that begins with https://.',
  /** A reason that the panel does not know; `reason` is the server's, in English. */
  other: (reason: string) => reason,
} satisfies Record<string, Sentence>

/** Why a document could not be read and what to do, by the rules of `panel/knowledge/reading-problems.ts`. */
export const words: Record<keyof typeof sentences, Sentence> = sentences
export type ReadingProblemWords = typeof words
