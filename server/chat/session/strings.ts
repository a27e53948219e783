import { fold } from '../../lib/text/fold.ts'
import { ar } from '../../locales/chat.ar.ts'
import { de } from '../../locales/chat.de.ts'
import { type ChatStrings, en } from '../../locales/chat.en.ts'
import { tr } from '../../locales/chat.tr.ts'

const LANGUAGES = new Map<string, ChatStrings>([
  ['tr', tr],
  ['de', de],
  ['ar', ar],
])

/** Returns the service's own strings for a locale; English for a locale without strings. */
export function chatStrings(locale: string): ChatStrings {
  return LANGUAGES.get(locale.slice(0, 2).toLowerCase()) ?? en
}

const ASKING = new Set([en, tr, de, ar].map(({ talkToPerson }) => fold(talkToPerson)))

/** Longer messages contain more than the wish for a person: the bot answers them first. */
const MAX_REQUEST_LENGTH = 100
/**
 * Phrases for a person and for talking to one, folded. In Turkish the verb comes last, in English
 * first.
 */
const REQUESTS: readonly RegExp[] = [
  /^(?:canli (?:destek|temsilci)\w*|(?:musteri )?temsilci(?:si|ye|niz)?|musteri hizmetleri(?:ne|niz)?|operator|yetkili)(?: lutfen)?[.!?]*$/,
  // Talking, with the person in a case that says so: `kaç kişilik konuşma sınıfı` has none.
  /(?:^|\s)(?:(?:insan|kisi|biri(?:si|leri|niz)?|kimse)(?:y?l[ae]|\s+ile)|insana|kisiye|birine|birisine|(?:yetkili|temsilci(?!li)|operator|danisman|mudur|musteri hizmet)\w*(?:\s+(?:biri(?:si)?))?(?:y?le|\s+ile)?)\s+(?:gorus|konus|baglan(?!ti)|yazis)(?!(?:t|m[iu]st|m[ae]d)[iu][mk]\b)(?!m[ae]k istemi)\w*/,
  /^(?:(?:beni|bizi|lutfen|hemen|canli|gercek|bir)\s+)*(?:insan|kisi|biri(?:si)?|yetkili|temsilci(?!li)|operator|danisman|mudur|musteri (?:hizmet|temsilci))\w*\s+aktar/,
  /(?:^|\s)(?:yetkili|temsilci|operator|danisman|insan|kisiye|birine|birisine|canli destek|musteri hizmetleri)\w*\s+bagla(?!nti)/,
  /\b(?:talk|speak|chat)(?:ing)? (?:to|with) (?:a |an |the |some |your |real )*(?:human|person|(?:people(?=[.!?]*$| not\b)|(?<=real )people)|someone|somebody|agent|operator|representative|manager|supervisor|staff(?! in [a-z]+(?:ish|an|ic|ench|ese)\b))\b/,
  /\b(?:connect|transfer|hand) me (?:over )?to (?:a |an |the |some |your |real )*(?:human|person|someone|agent|operator|representative)\b/,
  /^(?:an? |the )?(?:live |human |real )?(?:agent|human|person|operator|representative|support|chat)(?: please)?[.!?]*$/,
  /\b(?:want|need|get|give me|like) (?:a |an |the |some |your |real |live |to )*(?:human|person|agent|operator|representative)\b/,
  // `… olanlardan birini istiyorum` and `üye olan biri lazım mı` are about things and other people.
  /(?:^|\s)(?:birisini|insan|yetkili(?:yi)?|temsilci(?:yi|si|sini|niz|nizi)?|(?:yetkili|gercek|konus\w+|gorus\w+) biri(?:si)?(?:ni)?)\s+(?:istiyorum|rica ediyorum|lazim(?! m[iu]\b)|yok mu)/,
  /^biri(?:si)? (?:lazim(?! m[iu]\b)|yok mu)/,
  /\b(?:mit|an) (?:einem|einer|jemand\w*|dem|der|ihrem)?\s*(?:echten |richtigen )?(?:menschen|mitarbeiter\w*|person|berater\w*|kollegen|kundendienst|support|kundenservice)\b.{0,20}\b(?:sprech|red|schreib|verbind|chatt|telefonier)\w*/,
  /\b(?:sprech|red|schreib|verbind|chatt)\w* .{0,12}\b(?:menschen|mitarbeiter\w*|person|berater\w*|kundendienst)\b/,
  /\b(?:mochte|will|wurde|kann|konnte|darf)\b.{0,20}\b(?:(?:einen|eine)(?: echten?| richtigen?)? (?:menschen|mitarbeiter\w*|person|berater\w*)|mit (?:jemand\w*|wem))(?: \w+)? (?:sprech|red|schreib|chatt|telefonier)\w*/,
  /^(?:einen? )?(?:echte[nr]? )?(?:mitarbeiter\w*|mensch\w*|berater\w*|person|kundendienst)(?: bitte)?[.!?]*$/,
  /(?:التحدث|اتحدث|التكلم|اتكلم|تحويلي|تواصل|التواصل|اكلم|كلم|ربطي) (?:.{0,8})(?:شخص|موظف|انسان|بشر|ممثل|احد|حد|واحد|مسؤول|مسوول|خدمه العملاء|الدعم)/,
  /^(?:اريد |احتاج )?(?:موظف|شخص حقيقي|انسان|خدمه العملاء|ممثل)(?: من فضلك| لو سمحت)?[.!؟?]*$/,
]

/** Asks whether the assistant is a person, and wants none. */
const ASKS_WHO =
  /^(?:am i (?:talk|chat|speak)|are you (?:an?|human|real)|is this|rede ich|spreche ich|schreibe ich|هل (?:انت|اتحدث|اتكلم)|مع من)/

/** Asks which language is spoken. */
const ASKS_LANGUAGE =
  /\bmit\b.{0,30}(?<!auf )\b(?:englisch|deutsch|turkisch|arabisch|russisch|spanisch|italienisch|franzosisch)\b.{0,10}\b(?:sprech|red)/

/** Returns whether a message is the quick reply that asks for a person, in any language. */
export function isHandoffReply(message: string): boolean {
  return ASKING.has(fold(message))
}

/** Returns whether a message asks for a person, and for nothing else. */
export function matchesHandoffIntent(message: string): boolean {
  const folded = fold(message.trim())
  if (ASKS_WHO.test(folded) || ASKS_LANGUAGE.test(folded)) return false
  return folded.length <= MAX_REQUEST_LENGTH && REQUESTS.some((request) => request.test(folded))
}
