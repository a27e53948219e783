/** Length of a name or a service in a mail. */
const MAX_LENGTH = 80

/** Returns a text on one line and shortened: what a person typed must not pass for a line of the mail. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const letters = [...line]
  return letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH).join('')}…` : line
}

/**
 * Like `oneLine`, for text of a stranger: mail programs find no link and no address in it.
 */
export function withoutLinks(text: string): string {
  return oneLine(
    text
      .normalize('NFKC')
      .replaceAll(/[\s\p{C}]+/gu, ' ')
      .replaceAll(/[@/\\<>[\]]+/gu, ' ')
      .replaceAll(/[.。](?=\S)/gu, '$& '),
  )
}
