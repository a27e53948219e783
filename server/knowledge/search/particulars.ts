import type { QueryWord } from './query.ts'

/** Subjects that a shop settles for all its goods, folded: the product of a question may be missing there. */
const ABOUT_GOODS =
  /^(?:iade|degisim|garanti|return|refund|exchange|warrant|guarantee|ruckgabe|zuruckgeb|zuruckschick|umtausch|retour|gewahrleist|garantie|ارجاع|استرجاع|استبدال|ضمان)/
/** Subjects that a shop settles for all its customers: who asks, or where to, may be missing there. */
const ABOUT_DISCOUNTS = /^(?:indirim|iskonto|discount|rabatt|ermassig|خصم|تخفيض)/
const ABOUT_SENDING =
  /^(?:kargo|gonder|yolla|teslim|gelir$|varir$|ulasir$|ship|deliver|post(?:age|ing|ed)?$|send|mail$|liefer|versend|versand|schick|شحن|توصيل)/
/** A word with a match this close is on the site. */
const KNOWN_WORD = 0.7
/** From here on, it is there under its own name. */
const NAMED_WORD = 0.9

/**
 * Makes a general word of what a shop need not name: the product of a question about returns or warranties,
 * the people of one about discounts, the place of one about what is sent.
 */
export function withoutParticulars(query: readonly QueryWord[]): readonly QueryWord[] {
  const about = (subject: RegExp): QueryWord[] =>
    query.filter(({ folded, role }) => role === 'question' && subject.test(folded))
  const ofGoods = about(ABOUT_GOODS).length > 0 ? query.map(withoutProduct) : query
  const isOfDiscounts = about(ABOUT_DISCOUNTS).some((word) => !isMissing(word))
  const isOfSending = about(ABOUT_SENDING).some((word) => !isMissing(word))
  if (!isOfDiscounts && !isOfSending) return ofGoods
  return ofGoods.map((word) => {
    const isParticular = isMissing(word) && word.isTopic && (isOfDiscounts || word.isPlace)
    return isParticular ? { ...word, isEveryday: true, isTopic: false, isParticular } : word
  })
}

/** Whether nothing on the site stands for a word. */
const isMissing = ({ terms }: QueryWord): boolean =>
  terms.every(({ weight }) => weight < KNOWN_WORD)

/** Makes a product that the site has a general word. */
function withoutProduct(word: QueryWord): QueryWord {
  const isSold = word.isTopic && word.terms.some(({ weight }) => weight >= NAMED_WORD)
  if (!isSold || word.isPlace || ABOUT_GOODS.test(word.folded)) return word
  return { ...word, isGeneral: true, isTopic: false, isGoods: true }
}
