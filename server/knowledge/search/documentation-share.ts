import type { IndexedPassage } from './index-builder.ts'

/** Passages, and the share of them with code, from which a site is wholly documentation. */
const ENOUGH_PASSAGES = 300
const ENOUGH_CODE = 0.25
/** A block of code, or what remains of one in a Word file: calls, arrows, braces, tags. */
const CODE = /```|\w\(\)|=>|[{}]|<\/?\w+>|\w\.\w+\(/
const MAX_BUSINESS_SHARE = 0.15
/** A question with its answer is a passage of a few lines. */
const QUESTION_SHARE = 0.25
/** From here on, a site is rather documentation than a business. */
const MIN_DOCUMENTATION_SHARE = 0.5

/**
 * 0–1: how far a site is weighed as documentation. What has code is that, the more the longer it is; a business of some
 * length is so by a seventh at most, however much it writes.
 */
export function documentationShareOf(passages: readonly IndexedPassage[]): number {
  const count = passages.reduce(
    (sum, { heading }) => sum + (/[?؟]$/.test(heading) ? QUESTION_SHARE : 1),
    0,
  )
  const length = Math.min(1, count / ENOUGH_PASSAGES)
  const coded = passages.filter(({ text }) => CODE.test(text)).length
  const share = Math.min(1, coded / Math.max(1, passages.length) / ENOUGH_CODE)
  return Math.max(length * share, Math.min(length, MAX_BUSINESS_SHARE))
}

/** Whether a share is that of documentation. */
export const isDocumentation = (documentationShare: number): boolean =>
  documentationShare >= MIN_DOCUMENTATION_SHARE
