/** Scripts that one language is usually written in. */
const SCRIPTS: [tag: string, letters: RegExp][] = [
  ['ar', /\p{Script=Arabic}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ko', /\p{Script=Hangul}/gu],
]
/** Words that a sentence of a language can hardly do without, and that the others have not. */
const WORDS: Record<string, string> = {
  tr: 've bir bu için ile ne nasıl kadar mi mı mu mü var yok değil olarak daha çok merhaba gün',
  en: 'the and is are of to you we how what can do does not with for this that it hello',
  de: 'und der das ist nicht sie wir ein eine mit für auf wie kann ich zu von den dem',
  fr: 'le et est les des vous nous pour dans une avec sur pas que qui je du',
  es: 'el los las y es una por con para que usted cómo puede del se no',
}
const TURKISH_LETTERS = /[ğışİ]/g

/**
 * The language of a message, as far as it can be detected locally: undefined for short or
 * mixed texts. A reader then goes on in the language of the panel.
 */
export function guessLanguage(text: string): string | undefined {
  for (const [tag, letters] of SCRIPTS)
    if ((text.match(letters)?.length ?? 0) * 2 > (text.match(/\p{L}/gu)?.length ?? 1)) return tag
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = Object.entries(WORDS).map(([tag, known]) => {
    const set = new Set(known.split(' '))
    return { tag, count: words.filter((word) => set.has(word)).length }
  })
  const turkish = counts.find(({ tag }) => tag === 'tr')
  if (turkish) turkish.count += text.match(TURKISH_LETTERS)?.length ?? 0
  const [first, second] = counts.toSorted((one, other) => other.count - one.count)
  return first && second && first.count > second.count + 1 ? first.tag : undefined
}

/** Sets `lang` on messages and their paragraphs, so screen readers change voice. */
export function markLanguages(root: ShadowRoot, own: string): () => void {
  const observer = new MutationObserver(mark)
  function mark(): void {
    for (const said of root.querySelectorAll<HTMLElement>(
      // A quotation may stand in another language than the sentence before it.
      ':is(.bubble, .bubble > [dir], [role=status] > p):not([lang], .writing, .writing *)',
    )) {
      const around = said.closest<HTMLElement>('.bubble[lang]')
      said.lang = guessLanguage(said.textContent ?? '') ?? around?.lang ?? own
    }
  }
  observer.observe(root, { childList: true, subtree: true })
  mark()
  return () => observer.disconnect()
}
