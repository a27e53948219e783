import type { QueryWord } from './query.ts'
import { DIRECT_MATCH } from './word-weights.ts'

/** Subjects that a shop settles for all its goods, folded: the product of a question may be missing there. */
const ABOUT_GOODS =
  /^(?:iade|degisim|garanti|return|refund|exchange|warrant|guarantee|ruckgabe|zuruckgeb|zuruckschick|umtausch|retour|gewahrleist|garantie|ارجاع|استرجاع|استبدال|ضمان)/
/** Subjects that a shop settles for all its customers: their profession or destination may be missing there. */
const ABOUT_DISCOUNTS = /^(?:indirim|iskonto|discount|rabatt|ermassig|خصم|تخفيض)/
const ABOUT_SENDING =
  /^(?:kargo|gonder|yolla|teslim|gelir$|varir$|ulasir$|ship|deliver|post(?:age|ing|ed)?$|send|mail$|liefer|versend|versand|schick|شحن|توصيل)/
/** Things with rules of their own for refunds, folded: vouchers, deposits, tickets and memberships. */
const OWN_RULES =
  /^(?:voucher|gift|hediye|kupon|gutschein|قسيم|هدي|kapora|depozit|deposit|anzahlung|tickets?$|bilet|eintritt|تذكر|memberships?$|uyeli|mitgliedschaft|subscription|abone|abo$)/
/** Closeness from which a word is on the site under its own name. */
const NAMED_WORD = 0.9

/**
 * Makes terms optional that a page on the subject leaves out: the product of a question about returns or
 * warranties, the people of a question about discounts, the destination of a question about shipping.
 */
export function relaxQuery(query: readonly QueryWord[]): readonly QueryWord[] {
  const about = (subject: RegExp): QueryWord[] =>
    query.filter(({ folded, role }) => role === 'question' && subject.test(folded))
  const ofGoods = about(ABOUT_GOODS).length > 0 ? query.map(withoutProduct) : query
  const isOfDiscounts = about(ABOUT_DISCOUNTS).some((word) => !isMissing(word))
  const isOfSending = about(ABOUT_SENDING).some((word) => !isMissing(word))
  if (!isOfDiscounts && !isOfSending) return ofGoods
  return ofGoods.map((word) => {
    const isOptional = isMissing(word) && word.isTopic && (isOfDiscounts || word.isPlace)
    return isOptional ? { ...word, isEveryday: true, isTopic: false, isOptional } : word
  })
}

/** Whether nothing on the site stands for a word. */
const isMissing = ({ terms }: QueryWord): boolean =>
  terms.every(({ weight }) => weight < DIRECT_MATCH)

/** Makes a product that the site has a general word. */
function withoutProduct(word: QueryWord): QueryWord {
  const isSold = word.isTopic && word.terms.some(({ weight }) => weight >= NAMED_WORD)
  const isRuled = ABOUT_GOODS.test(word.folded) || OWN_RULES.test(word.folded)
  if (!isSold || word.isPlace || isRuled) return word
  return { ...word, isGeneral: true, isTopic: false, isGoods: true }
}
