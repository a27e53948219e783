import { type AnswerQuote, isInList } from './choice.ts'

/** Upper bound of what an answer quotes, in UTF-16 units. */
const MAX_QUOTED_LENGTH = 800

/** Truncates between words, and never inside a surrogate pair. */
function clip(text: string): string {
  if (text.length <= MAX_QUOTED_LENGTH) return text
  const cut = text.slice(0, MAX_QUOTED_LENGTH - 1)
  const end = Math.max(cut.lastIndexOf(' '), MAX_QUOTED_LENGTH / 2)
  return `${cut
    .slice(0, end)
    .toWellFormed()
    .replace(/[\uFFFD\s]+$/, '')}…`
}

function finish(text: string, hasMore: boolean): string {
  if (text.endsWith(':')) return hasMore ? text : `${text.slice(0, -1)}.`
  return /[.!?…)`"”:]$/.test(text) ? text : `${text}.`
}

/** Writes quotes as text: sentences in a paragraph, several items or rows as a list. */
export function writeQuotes(quotes: readonly AnswerQuote[]): string {
  const listed = quotes.filter(isInList).length
  let content = ''
  let before: AnswerQuote | undefined
  for (const [at, quote] of quotes.entries()) {
    const isListed = isInList(quote) && listed > 1
    const isBlock = quote.kind === 'code' || before?.kind === 'code'
    const wasListed = before !== undefined && isInList(before)
    const gap =
      content === ''
        ? ''
        : isBlock
          ? '\n\n'
          : isListed
            ? '\n'
            : wasListed && listed > 1
              ? '\n\n'
              : ' '
    const text = isListed
      ? `- ${quote.text}`
      : quote.kind === 'code'
        ? quote.text
        : finish(quote.text, at < quotes.length - 1)
    content += gap + text
    before = quote
  }
  return clip(content)
}
