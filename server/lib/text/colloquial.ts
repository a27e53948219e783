import { anyOf } from './any-of.ts'
import { fold } from './fold.ts'
import { writeOutIdioms } from './idioms.ts'
import type { Language } from './language.ts'

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)?/gu

/** What visitors type, folded, and what it stands for: `word=replacement`. */
const TURKISH = `napicam=ne_yapmalıyım naparim=ne_yapmalıyım napim=ne_yapmalıyım napayim=ne_yapmalıyım
  napmaliyim=ne_yapmalıyım napiyim=ne_yapmalıyım noluyor=ne_oluyor nolur=lütfen nbr=naber slm=selam
  mrb=merhaba mrhb=merhaba tsk=teşekkürler tskler=teşekkürler tsekkurler=teşekkürler tmm=tamam ok=tamam
  nerde=nerede nerdesiniz=neredesiniz nerden=nereden nerdeyse=neredeyse bi=bir bisey=bir_şey
  birsey=bir_şey hersey=her_şey sey=şey bisi=bir_şey die=diye nezaman=ne_zaman nekadar=ne_kadar
  kac=kaç kaca=kaça kacta=kaçta ltfn=lütfen lutfn=lütfen cvp=cevap msj=mesaj tlf=telefon
  kdr=kadar wp=whatsapp insta=instagram kk=kredi_kartı ig=instagram fb=facebook feysbuk=facebook netiniz=internetiniz kdvli=kdv_dahil kdvsiz=kdv_hariç
  urunu=ürünü urun=ürün yirmilik=20'lik dimi=değil_mi demi=değil_mi dakka=dakika dk=dakika lira=TL liraya=TL liralik=TL tl=TL ssk=SGK zoom=online
  zoomdan=online haftaici=hafta_içi haftasonu=hafta_sonu dukkan=mağaza dukkaniniz=mağazanız dukkaniniza=mağazanıza`
const ENGLISH = `u=you ur=your r=are pls=please plz=please thx=thanks ty=thank_you tnx=thanks
  whats=what_is wheres=where_is whens=when_is hows=how_is whos=who_is im=i_am ive=i_have
  dont=do_not doesnt=does_not didnt=did_not cant=can_not cannot=can_not couldnt=could_not wont=will_not
  isnt=is_not arent=are_not hasnt=has_not havent=have_not wanna=want_to gonna=going_to gotta=have_to
  gimme=give_me lemme=let_me b4=before tmrw=tomorrow tmr=tomorrow info=information asap=soon
  pics=photos pic=photo cuz=because bc=because ya=you yall=you youre=you_are theres=there_is
  wot=what theyre=they_are theyve=they_have weve=we_have youve=you_have shes=she_is hes=he_is thats=that_is
  wasnt=was_not werent=were_not wouldnt=would_not shouldnt=should_not coz=because
  abt=about appt=appointment hrs=hours mins=minutes yr=year yrs=years wk=week wks=weeks wknd=weekend
  thru=through ye=you yous=you brolly=umbrella hols=holidays xmas=christmas brekkie=breakfast
  telly=tv tomoz=tomorrow tomoro=tomorrow tomorow=tomorrow sambos=sandwiches amex=American_Express owt=anything
  nowt=nothing oap=pensioner oaps=pensioners squaddies=armed_forces squaddie=armed_forces nicked=stolen
  pooch=dog doggo=dog pup=dog moan=complain cuppa=tea snaps=photos bday=birthday docket=receipt
  chequebook=cheque insta=instagram fb=facebook
  dunno=do_not_know kinda=kind_of sorta=sort_of`
const GERMAN = `gibts=gibt_es wieviel=wie_viel hab=habe hätt=hätte hätts=hätte_es gehts=geht_es
  wos=wo_ist wanns=wann_ist nix=nichts mal= ne=eine nen=einen`

function readTable(table: string): ReadonlyMap<string, string> {
  return new Map(
    table
      .trim()
      .split(/\s+/)
      .map((pair) => {
        const [word = '', meaning = ''] = pair.split('=')
        return [fold(word), meaning.replaceAll('_', ' ')]
      }),
  )
}

const TABLES: Readonly<Partial<Record<Language, ReadonlyMap<string, string>>>> = {
  tr: readTable(TURKISH),
  en: readTable(ENGLISH),
  de: readTable(GERMAN),
}

/** Spoken Turkish verb endings, folded: `yapıyosunuz`, `yapıyonuz`, `geliyo`, `alıcam`, `edicez`. */
const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/yo(?:su)?n[iu]z$/, 'yorsunuz'],
  [/yosun$/, 'yorsun'],
  [/yom$/, 'yorum'],
  [/yoz$/, 'yoruz'],
  [/yolar$/, 'yorlar'],
  [/([aeiu])yo$/, '$1yor'],
  // `odiycem`, `gelemiycez`, `koyucam`
  [/[iu]ycem$/, 'eyeceğim'],
  [/[iu]ycez$/, 'eyeceğiz'],
  [/[iu]ycam$/, 'ayacağım'],
  [/[iu]ycaz$/, 'ayacağız'],
  [/(?<=^(?:ko|do|du|sa|so))yucam$/, 'yacağım'],
  [/(?<=^(?:ko|do|du|sa|so))yucaz$/, 'yacağız'],
  [/(?:y?[iu])c[a]k$/, 'acak'],
  [/(?:y?[iu])c[e]k$/, 'ecek'],
  [/(?:y?[iu])c[a]m$/, 'acağım'],
  [/(?:y?[iu])c[e]m$/, 'eceğim'],
  [/(?:y?[iu])c[a]z$/, 'acağız'],
  [/(?:y?[iu])c[e]z$/, 'eceğiz'],
  // `olcak`, `yapcam`, `sorcam`, `konuşcam`, `gelcez`; not `alçak`, `gerçek`, `sıcak` and `borcam`
  [/(?<=[^a]l|p|^sor|nus)cak$/, 'acak'],
  [/(?<=[lp]|^ver|^gor|rus)cek$/, 'ecek'],
  [/(?<=[^a]l|[pzy]|^bak|^at|^sor|nus)cam$/, 'acağım'],
  [/(?<=[lp]|^ver|^gor|rus)cem$/, 'eceğim'],
  // The causative: `kestircem`, `yaptırcam`; a place has no such ending
  [/(?<=[a-z]{2}[dt][iu]r)cem$/, 'eceğim'],
  [/(?<=[a-z]{2}[dt][iu]r)cam$/, 'acağım'],
  [/(?<=[a-z]{2}[dt][iu]r)cez$/, 'eceğiz'],
  [/(?<=[a-z]{2}[dt][iu]r)caz$/, 'acağız'],
  [/(?<=[^a]l|[pzy]|^bak|^at|^sor|nus)caz$/, 'acağız'],
  [/(?<=[lp]|^ver|^gor|rus)cez$/, 'eceğiz'],
  [/(?<=[^a]l|p|^sor|nus)cakti$/, 'acaktı'],
]
const ANY_SPOKEN = anyOf(SPOKEN.map(([ending]) => ending))
const MIN_SPOKEN = 5
/** Nouns that end like a spoken verb, folded. */
const NOUNS = new Set(['sicak', 'bicak', 'cicek', 'kucak', 'bucak', 'hicaz', 'yosun'])
/** Nouns whose possessive ends like a verb with the particle: `formu`, `alarmı`. */
const POSSESSIVE = /(?:for|alar|nor|char|far|ter|fir)m[iu]$/
/** The particle of a question, written together with the word before it: `varmı`, `alıyomusunuz`. */
const JOINED_PARTICLE =
  /^(\p{L}*(?:r|yor?|yo(?:rs?u|su)?n[iu]z|yo(?:r?su)n|c[ae]k|yok|acik|kapali|dahil|mumkun|lazim|gerekli|ucretli|ucretsiz|bedava))(m[iu](?:y[iu][mz]|s[iu]n(?:[iu]z)?|d[iu]r)?)$/u

/** Umlauts written with two letters; `neue`, `aktuell`, `Poet`, `zuerst`, `Aerobic` and `Michael` have none. */
const TWO_LETTERS =
  /(?<![aeqnz]|bl)ue(?!ll|l(?!\p{L}))|(?<![ps])oe|(?<!\b|mich)ae(?!l(?!\p{L})|ro)/giu
const UMLAUTS: Readonly<Record<string, string>> = { a: 'ä', o: 'ö', u: 'ü', A: 'Ä', O: 'Ö', U: 'Ü' }

const withUmlauts = (text: string): string =>
  text.replace(TWO_LETTERS, (letters) => UMLAUTS[letters.charAt(0)] ?? letters)

function spell(word: string, table: ReadonlyMap<string, string>, isTurkish: boolean): string {
  const folded = fold(word)
  const known = table.get(folded)
  if (known !== undefined) return known
  if (!isTurkish || folded.length < MIN_SPOKEN || NOUNS.has(folded)) return word
  const joined = POSSESSIVE.test(folded) ? null : JOINED_PARTICLE.exec(folded)
  if (joined !== null && joined[1] !== undefined && folded.length === word.length) {
    return `${spell(word.slice(0, joined[1].length), table, isTurkish)} ${joined[2]}`
  }
  if (!ANY_SPOKEN.test(folded)) return word
  for (const [ending, full] of SPOKEN) {
    if (ending.test(folded)) return folded.replace(ending, full)
  }
  return word
}

/** Rewrites spoken and shortened words and idioms in the written language; other words stay as they are. */
export function writtenForm(text: string, language: Language | undefined): string {
  const table = TABLES[language ?? 'en']
  if (table === undefined) return text
  // A letter that is repeated for emphasis: `çooook`, `heyyy`.
  const single = text.replace(/(\p{L})\1{2,}/gu, '$1')
  const plain = language === 'de' ? withUmlauts(single) : single
  const spelt = plain.replace(WORD, (word) => spell(word, table, language === 'tr'))
  return writeOutIdioms(spelt, language ?? 'en')
}
