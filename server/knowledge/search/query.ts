import { detectLanguage, type Language } from '../../lib/text/language.ts'
import { messageLanguage } from './message-language.ts'
import { isMistyped } from '../../lib/text/edit-distance.ts'
import { fold, nameParts, splitWords } from '../../lib/text/fold.ts'
import type { Detail } from '../../lib/text/detail.ts'
import type { Stemmer } from '../../lib/text/stemmer.ts'
import {
  isEverydayWord,
  isGeneralWord,
  isMeasureWord,
  isStopWord,
} from '../../lib/text/stop-words.ts'
import type { Alternative, Postings } from './postings.ts'
import { beginsLikeVerb, endsLikeVerb, verbRoots } from '../../lib/text/turkish-verbs.ts'
import type { CitedPassage } from './hit.ts'
import { isPlaceName } from './place-names.ts'
import { type Synonyms, WHOLE_WORD } from './synonyms.ts'
import type { FuzzyBudget, Vocabulary } from './vocabulary.ts'

/** Words of a query; further ones are ignored. One bit each fits an integer. */
const MAX_WORDS = 31
/** Terms that the corrections of one query may scan; real sites have some 5,000 per first letter. */
const MAX_FUZZY_SCANS = 400_000
const MAX_CACHED_WORDS = 1_000
const MAX_RELATED = 60
const MAX_CORRECTIONS = 6
const MIN_TYPO_LENGTH = 4
/** Of a correction of what fingers do wrongly: a letter left out, two exchanged, the key beside. */
const SLIP_MATCH = 0.8
/** Words of this length may have two typos. */
const LONG_WORD = 8
const MAX_VERB_FORMS = 60
const VERB_WEIGHT = 0.75
/** The endings of a Turkish noun, folded: number, bearer and case. */
const NOUN_ENDING =
  /^(?:l[ae]r)?(?:[iu]?m(?:[iu]z)?|[iu]?n[iu]z|s?[iu])?(?:n?[iu]n|[yn]?[iu]|[yn]?[ae]|n?[dt][ae]n?|y?l[ae])?$/
/** The endings of what belongs to the business that is asked, folded: `odanız`, `havuzunuza`. */
const OF_BUSINESS = /n[iu]z(?:[iae]|d[ae]n?|[iu]n)?$/
const MAX_NOUN_ENDING = 8
const MIN_NOUN = 3
const NOUN_WEIGHT = 0.88
const STEM_WEIGHT = 0.95
const JOINED_WEIGHT = 0.9
/** Of synonyms and translations of a word that the site lacks, and beside one that it has. */
export interface SynonymWeights {
  synonym: number
  synonymBeside: number
  translation: number
  translationBeside: number
}

/** On the sites of businesses, which are found by the words of everyday life, and in documentation. */
export const SYNONYM_WEIGHTS = {
  business: { synonym: 0.8, synonymBeside: 0.5, translation: 0.9, translationBeside: 0.4 },
  documentation: { synonym: 0.72, synonymBeside: 0.72, translation: 0.93, translationBeside: 0.5 },
} as const satisfies Record<string, SynonymWeights>
/**
 * A word in fewer passages than the first, with a synonym in as many as the second, is another's word: a
 * site that says `rented` once and `hire` everywhere answers questions for what it rents out.
 */
const RARE_COUNT = 1.5
const OWN_SYNONYM_COUNT = 6
/** Of a term of two words: shortest of them, and what each is worth alone. */
const MIN_TERM_PART = 4
const RARE_PART = 0.85
const COMMON_PART = 0.5
/** Inflected forms of a synonym, by the letters that may follow it. */
const MAX_SYNONYM_FORMS = 12
const MAX_SYNONYM_ENDING = 8
const MIN_SYNONYM_STEM = 4
const SHORT_SYNONYM_ENDING = 4
const PART_WEIGHT = 0.5
const MIN_MATCH = 0.4
/** A word with a match this close is not corrected. */
const SURE_MATCH = 0.7
/** A word with a match this close is the site's own; the forms of a verb may be those of another. */
const KNOWN_MATCH = 0.8

/** A question, and what helps to find its passage without being asked for. */
export interface SearchRequest {
  question: string
  /** The story around the question, or the question before a follow-up. */
  context?: string
  /** The question before: asked together with one that says little on its own, else it only helps to rank. */
  earlier?: string
  /** Words that passages of the wanted kind contain. */
  hints?: readonly string[]
  /** The detail of the business that it asks for and nothing else: passages that tell it come first. */
  detail?: Detail | undefined
  /** Whether it asks for a price, and goes on with no other question. */
  asksPrice?: boolean
  /** Citations of the reply before: their passages are found too. */
  cited?: readonly CitedPassage[]
}

/** Where a word of a query comes from. */
export type WordRole = 'question' | 'context' | 'hint' | 'earlier'

/** A content word of a query with its alternatives. */
export interface QueryWord {
  folded: string
  role: WordRole
  isGeneral: boolean
  /** Any text may lack the word and still answer. */
  isEveryday: boolean
  isNumber: boolean
  /** Neither general nor everyday nor a measure nor a number. */
  isTopic: boolean
  /** Names a country or a city; the words for others stand for it as synonyms. */
  isPlace: boolean
  /** A product in a question about returns or warranties, which a shop settles for all. */
  isGoods: boolean
  /** A term that a page on the subject leaves out, such as the destination in a question about shipping. */
  isOptional: boolean
  terms: readonly Alternative[]
}

type ParsedWord = Omit<QueryWord, 'role'>

/** Parsed words of earlier queries; null for a misspelled stop word. */
export type WordCache = Map<string, ParsedWord | null>

interface Lookup {
  wordCache: WordCache
  passages: Postings
  vocabulary: Vocabulary
  stemmer: Stemmer
  synonyms: Synonyms
  synonymWeights: SynonymWeights
  stopWords: Vocabulary
  /** In which the site is written. */
  languages: ReadonlySet<Language>
}

/** Confidence of a correction, by the length of the word and its distance. */
function matchConfidence(length: number, distance: number): number {
  if (distance === 2) return length >= LONG_WORD + 2 ? 0.75 : 0.6
  if (length >= 7) return 0.92
  return [0.5, 0.65, 0.85][length - 4] ?? 0
}

class WordExpander {
  private readonly lookup: Lookup
  private readonly budget: FuzzyBudget
  private readonly weights = new Map<number, number>()

  constructor(lookup: Lookup, budget: FuzzyBudget) {
    this.lookup = lookup
    this.budget = budget
  }

  add(term: string, weight: number): void {
    const id = this.lookup.vocabulary.find(term)
    if (id !== undefined) this.addId(id, weight)
  }

  addId(id: number, weight: number): void {
    if (weight > (this.weights.get(id) ?? 0)) this.weights.set(id, weight)
  }

  /** Whether an alternative matches at least this closely. */
  has(weight: number): boolean {
    return this.weights.values().some((found) => found >= weight)
  }

  /** Adds index terms that share a prefix with an inflected word, and terms that are its prefixes. */
  addRelated(folded: string, forms: readonly string[]): void {
    const { vocabulary } = this.lookup
    const shortest = forms.reduce((a, b) => (b.length < a.length && b.length >= 4 ? b : a), folded)
    for (let length = folded.length - 1; length >= Math.max(4, folded.length / 2); length -= 1) {
      this.add(folded.slice(0, length), 0.35 + 0.45 * (length / folded.length))
    }
    const common = Math.max(5, Math.min(shortest.length, Math.ceil(folded.length * 0.7)))
    if (folded.length < 5) return
    const [first, end] = vocabulary.startingWith(folded.slice(0, common))
    for (let id = first; id < end && id < first + MAX_RELATED; id += 1) {
      const longer = Math.max(vocabulary.terms[id]?.length ?? 0, folded.length)
      this.addId(id, Math.max(MIN_MATCH, 0.8 * (common / longer) ** 0.5))
    }
  }

  /** Adds the forms of a Turkish noun that differ by an ending: Snowball's stemmer cuts short ones to pieces. */
  addNounForms(folded: string): void {
    const { vocabulary } = this.lookup
    const shortest = Math.max(MIN_NOUN, folded.length - MAX_NOUN_ENDING)
    for (let length = folded.length - 1; length >= shortest; length -= 1)
      if (NOUN_ENDING.test(folded.slice(length))) this.add(folded.slice(0, length), NOUN_WEIGHT)
    if (folded.length < MIN_NOUN) return
    const [first, end] = vocabulary.startingWith(folded)
    for (let id = first; id < end && id < first + MAX_RELATED; id += 1)
      if (NOUN_ENDING.test(vocabulary.terms[id]?.slice(folded.length) ?? ''))
        this.addId(id, NOUN_WEIGHT)
  }

  /** Adds other forms of the same verb: Snowball's Turkish stemmer handles nouns only. */
  addVerbForms(folded: string): void {
    const { vocabulary } = this.lookup
    for (const root of verbRoots(folded)) {
      const [first, end] = vocabulary.startingWith(root)
      let added = 0
      for (let id = first; id < end && added < MAX_VERB_FORMS; id += 1) {
        if (!beginsLikeVerb(vocabulary.terms[id]?.slice(root.length) ?? '')) continue
        added += 1
        this.addId(id, VERB_WEIGHT)
      }
    }
  }

  /** Adds corrections of a misspelled word, and their stems. */
  addTypos(folded: string, forms: readonly string[]): void {
    const { vocabulary, stemmer } = this.lookup
    for (const form of forms.slice(0, 2)) {
      if (form.length < 4 || (/\d/.test(form) && form.length < LONG_WORD)) continue
      const near = vocabulary.near(form, form.length >= LONG_WORD ? 2 : 1, this.budget)
      const sure = matchConfidence(form.length, near.distance) * (form === folded ? 1 : 0.9)
      for (const id of near.ids.slice(0, MAX_CORRECTIONS)) {
        const term = vocabulary.terms[id] ?? ''
        const isSlip =
          form.length > MIN_TYPO_LENGTH && near.distance === 1 && isMistyped(form, term)
        const closeness = isSlip ? Math.max(sure, SLIP_MATCH) : sure
        this.addId(id, closeness)
        for (const stem of stemmer.forms(term)) this.add(stem, closeness * STEM_WEIGHT)
      }
    }
  }

  addSynonyms(forms: readonly string[], language: Language | undefined): void {
    const isKnown = this.has(KNOWN_MATCH)
    const isRare = isKnown && this.countKnown() < RARE_COUNT
    const { same, other } = this.lookup.synonyms.find(forms, language, this.lookup.languages)
    const weights = this.lookup.synonymWeights
    const near = isKnown ? weights.synonymBeside : weights.synonym
    for (const word of same) {
      const isOwn = isRare && this.countOf(word) >= OWN_SYNONYM_COUNT
      this.addInflected(word, isOwn ? weights.synonym : near)
    }
    const weight = isKnown ? weights.translationBeside : weights.translation
    for (const word of other) this.addInflected(word, weight)
  }

  /** In how many passages the word itself stands. */
  private countKnown(): number {
    const { counts } = this.lookup.passages
    return this.weights
      .entries()
      .reduce((sum, [id, weight]) => sum + (weight >= KNOWN_MATCH ? (counts[id] ?? 0) : 0), 0)
  }

  private countOf(word: string): number {
    const id = this.lookup.vocabulary.find(word)
    return id === undefined ? 0 : (this.lookup.passages.counts[id] ?? 0)
  }

  /** Adds the words of a term of two that is written as one: `campfire`, and `evlilikcüzdanı` in the lexicon. */
  addParts(word: string, weight: number): void {
    const { vocabulary } = this.lookup
    if (word.length < 2 * MIN_TERM_PART || vocabulary.find(word) !== undefined) return
    for (let cut = word.length - MIN_TERM_PART; cut >= MIN_TERM_PART; cut -= 1) {
      const first = vocabulary.find(word.slice(0, cut))
      const second = vocabulary.find(word.slice(cut))
      if (first === undefined || second === undefined) continue
      const { counts } = this.lookup.passages
      const isFirst = (counts[first] ?? 0) < (counts[second] ?? 0)
      this.addId(isFirst ? first : second, weight * RARE_PART)
      this.addId(isFirst ? second : first, weight * COMMON_PART)
      return
    }
  }

  /** Adds a word and its inflected forms; a stem of it could be another word. */
  private addInflected(word: string, weight: number): void {
    const { vocabulary } = this.lookup
    this.add(word.replace(WHOLE_WORD, ''), weight)
    this.addParts(word, weight)
    // The plural of `buggy` does not begin with it.
    if (word.endsWith('y')) this.add(`${word.slice(0, -1)}ies`, weight * STEM_WEIGHT)
    if (word.length < MIN_SYNONYM_STEM || word.endsWith(WHOLE_WORD)) return
    const maxEnding = word.length === MIN_SYNONYM_STEM ? SHORT_SYNONYM_ENDING : MAX_SYNONYM_ENDING
    const [first, end] = vocabulary.startingWith(word)
    for (let id = first; id < end && id < first + MAX_SYNONYM_FORMS; id += 1) {
      const ending = (vocabulary.terms[id]?.length ?? 0) - word.length
      if (ending <= maxEnding) this.addId(id, weight * 0.95)
    }
  }

  alternatives(): { id: number; weight: number }[] {
    return [...this.weights].map(([id, weight]) => ({ id, weight }))
  }
}

interface ContentWord {
  word: string
  folded: string
  role: WordRole
}

/** Returns the distinct words of a request without stop words, at most 31, the question's first. */
function contentWords(
  { question, context = '', hints = [], earlier = '' }: SearchRequest,
  language: Language | undefined,
  synonyms: Synonyms,
): ContentWord[] {
  const all = new Map<string, ContentWord>()
  const texts = [
    ['question', splitWords(question)],
    ['hint', hints],
    ['context', splitWords(context)],
    ['earlier', splitWords(earlier)],
  ] as const
  for (const [role, words] of texts) {
    for (const word of words) {
      const folded = fold(word)
      const compound = language === 'de' && role !== 'hint' ? synonyms.partsOf(folded) : []
      const parts = compound.length > 0 ? compound : [folded]
      for (const part of parts) {
        const own = compound.length > 0 ? part : word
        if (part !== '' && !all.has(part)) all.set(part, { word: own, folded: part, role })
      }
    }
  }
  return [...all.values()].filter(({ folded }) => !isStopWord(folded, language)).slice(0, MAX_WORDS)
}

/**
 * `nasl` and `whcih` are misspelled stop words; `world` is not a misspelled `would`, nor is `York` in
 * English the Turkish `yok`. A long word near an index term is not one either.
 */
function isMisspelledStopWord(
  folded: string,
  {
    forms,
    lookup: { stopWords, vocabulary, synonyms },
    language,
  }: { forms: readonly string[]; lookup: Lookup; language: Language | undefined },
  budget: FuzzyBudget,
): boolean {
  if (isEverydayWord(folded, language) || folded.length < MIN_TYPO_LENGTH) return false
  if (forms.some((form) => synonyms.isKnown(form, language))) return false
  const near = stopWords.near(folded, 1).ids.filter((id) => {
    const spoken = detectLanguage(stopWords.terms[id] ?? '')
    const isOfLanguage = language === undefined || spoken === undefined || spoken === language
    return isOfLanguage && isMistyped(folded, stopWords.terms[id] ?? '')
  })
  if (near.length === 0) return false
  return folded.length < LONG_WORD || vocabulary.near(folded, 1, budget).ids.length === 0
}

/** Parses a request into its content words, each with the index terms that it matches. */
export function parseQuery(request: SearchRequest, lookup: Lookup): QueryWord[] {
  const language = messageLanguage(`${request.question} ${request.context ?? ''}`)
  const content = contentWords(request, language, lookup.synonyms)
  const budget = { remaining: MAX_FUZZY_SCANS }
  const found: QueryWord[] = []
  let before: string | undefined
  for (const [at, { word, folded, role }] of content.entries()) {
    const next = content[at + 1]
    const term = next?.role === role ? `${folded}${next.folded}` : folded
    const isJoined = lookup.vocabulary.find(term) !== undefined || lookup.synonyms.has(term)
    const after = isJoined && term !== folded ? term : undefined
    const joined = [before, after].filter((one) => one !== undefined)
    before = after
    const parsed = cachedWord(
      lookup.wordCache,
      `${language} ${word} ${joined.join(' ')}`,
      () => parseWord(word, { joined, language }, lookup, budget),
      budget,
    )
    if (parsed !== null) found.push({ ...parsed, role })
  }
  return found
}

/** Visitors repeat words across questions; the cache saves the expansion of each. */
function cachedWord(
  cache: WordCache,
  key: string,
  parse: () => ParsedWord | null,
  budget: FuzzyBudget,
): ParsedWord | null {
  const known = cache.get(key)
  if (known !== undefined) return known
  const word = parse()
  // An exhausted budget left the expansion incomplete.
  if (budget.remaining <= 0) return word
  if (cache.size >= MAX_CACHED_WORDS) cache.clear()
  cache.set(key, word)
  return word
}

/** Expands one word, and its compounds with its neighbours; null for a misspelled stop word. */
function parseWord(
  word: string,
  { joined, language }: { joined: readonly string[]; language: Language | undefined },
  lookup: Lookup,
  budget: FuzzyBudget,
): ParsedWord | null {
  const isTurkish = language === 'tr'
  // Cut down to a stop word, a word is another one: `USA` is not `us`.
  const forms = lookup.stemmer.forms(word).filter((form, at) => at === 0 || !isStopWord(form))
  const folded = forms[0] ?? ''
  const expander = new WordExpander(lookup, budget)
  for (const form of forms) expander.add(form, form === folded ? 1 : STEM_WEIGHT)
  for (const term of joined) expander.add(term, JOINED_WEIGHT)
  if (/^\d{1,3}$/.test(folded)) expander.add(`v${folded}`, JOINED_WEIGHT)
  if (/^v\d{1,3}$/.test(folded)) expander.add(folded.slice(1), JOINED_WEIGHT)
  const isPlain = /^\p{L}+$/u.test(folded)
  if (isPlain && (isTurkish || !expander.has(STEM_WEIGHT))) expander.addRelated(folded, forms)
  // The pages say `odanız` of the visitor's room, and the visitor of any.
  const mayInflect = !expander.has(SURE_MATCH) || OF_BUSINESS.test(folded)
  if (isPlain && isTurkish && mayInflect) expander.addNounForms(folded)
  const roots = isPlain && isTurkish ? verbRoots(folded) : []
  if (roots.length > 0) expander.addVerbForms(folded)
  // A vowel before the ending is lost: `yolluyor` comes from `yolla`.
  const verbs = roots.flatMap((root) => [root, `${root}a`, `${root}e`])
  expander.addSynonyms([...forms, ...verbs], language)
  for (const term of joined)
    if (lookup.synonyms.isKnown(term, language)) expander.addSynonyms([term], language)
  if (!expander.has(SURE_MATCH)) {
    if (isMisspelledStopWord(folded, { forms, lookup, language }, budget)) return null
    for (const part of nameParts(word)) expander.add(fold(part), PART_WEIGHT)
    expander.addTypos(folded, forms)
    if (isPlain && !expander.has(SURE_MATCH) && !isGeneralWord(folded))
      for (const form of forms) expander.addParts(form, 1)
  }
  const isGeneral = isGeneralWord(folded)
  // Of a sentence, the verb is most often said in other words.
  const isNoun = forms.some((form) => lookup.synonyms.isKnown(form, language))
  const isPlace = forms.some(isPlaceName)
  const isVerb =
    isTurkish && !isNoun && !isPlace && !expander.has(SURE_MATCH) && endsLikeVerb(folded)
  const isNumber = /^\d+(?:\p{L}{1,4})?$/u.test(folded)
  const isEveryday = isVerb || isEverydayWord(folded, language)
  const isTopic = !isGeneral && !isEveryday && !isNumber && !isMeasureWord(folded)
  const terms = expander.alternatives()
  const flags = { isGeneral, isEveryday, isNumber, isTopic, isPlace }
  return { folded, ...flags, isGoods: false, isOptional: false, terms }
}
