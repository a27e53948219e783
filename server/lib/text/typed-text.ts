/** Maximum length of a name or a title in a mail, in Unicode code points. */
const MAX_NAME_LENGTH = 80

/** Returns a text on one line and shortened: what a person typed must not pass for a line of the mail. */
export function oneLine(text: string, maxLength = MAX_NAME_LENGTH): string {
  const letters = [...text.replaceAll(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
  return letters.length > maxLength ? `${letters.slice(0, maxLength).join('')}…` : letters.join('')
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
