import { detectLanguage } from '../../lib/text/language.ts'
import { fold, nameParts, splitWords } from '../../lib/text/fold.ts'
import type { Stemmer } from '../../lib/text/stemmer.ts'
import { isEverydayWord, isGeneralWord, isStopWord } from '../../lib/text/stop-words.ts'
import type { Alternative } from './postings.ts'
import { beginsLikeVerb, verbRoots } from '../../lib/text/turkish-verbs.ts'
import type { Synonyms } from './synonyms.ts'
import type { Vocabulary } from './vocabulary.ts'

/** More words than this do not make a question clearer; the first ones count. */
const MAX_WORDS = 31
const MAX_REMEMBERED = 1_000
const MAX_RELATED = 60
const MAX_CORRECTIONS = 6
const MIN_SLIP = 4
/** From this length on, two edits may be a slip. */
const LONG_WORD = 8
const MAX_VERB_FORMS = 60
const VERB_WEIGHT = 0.75
const STEM_WEIGHT = 0.95
const JOINED_WEIGHT = 0.9
const SYNONYM_WEIGHT = 0.6
const PART_WEIGHT = 0.5
const MIN_MATCH = 0.4
/** A word with a match as good as this is not taken for a slip. */
const SURE_MATCH = 0.7

/** A content word of a question with what it may match. */
export interface QueryWord {
  folded: string
  isGeneral: boolean
  terms: readonly Alternative[]
}

/** Words of questions that were read before, with how they were read. */
export type WordMemory = Map<string, QueryWord | null>

interface Lookup {
  words: WordMemory
  vocabulary: Vocabulary
  stemmer: Stemmer
  synonyms: Synonyms
  stopWords: Vocabulary
}

/** How likely it is that a word so long and so many edits away was meant. */
function matchConfidence(length: number, distance: number): number {
  if (distance === 2) return length >= LONG_WORD + 2 ? 0.75 : 0.6
  if (length >= 7) return 0.92
  return [0.5, 0.75, 0.9][length - 4] ?? 0
}

class WordExpander {
  private readonly lookup: Lookup
  private readonly weights = new Map<number, number>()

  constructor(lookup: Lookup) {
    this.lookup = lookup
  }

  add(term: string, weight: number): void {
    const id = this.lookup.vocabulary.find(term)
    if (id !== undefined) this.addId(id, weight)
  }

  addId(id: number, weight: number): void {
    if (weight > (this.weights.get(id) ?? 0)) this.weights.set(id, weight)
  }

  /** Whether something matches at least this well. */
  has(weight: number): boolean {
    return this.weights.values().some((found) => found >= weight)
  }

  /** The index terms that begin like an inflected word, and those that it begins with. */
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

  /** Other forms of the same verb: Snowball's Turkish stemmer knows nouns only. */
  addVerbForms(folded: string): void {
    const { vocabulary } = this.lookup
    for (const root of verbRoots(folded)) {
      const [first, end] = vocabulary.startingWith(root)
      let taken = 0
      for (let id = first; id < end && taken < MAX_VERB_FORMS; id += 1) {
        if (!beginsLikeVerb(vocabulary.terms[id]?.slice(root.length) ?? '')) continue
        taken += 1
        this.addId(id, VERB_WEIGHT)
      }
    }
  }

  /** What a misspelt word was meant to be, and the other forms of that. */
  addTypos(folded: string, forms: readonly string[]): void {
    const { vocabulary, stemmer } = this.lookup
    for (const form of forms.slice(0, 2)) {
      if (form.length < 4 || (/\d/.test(form) && form.length < LONG_WORD)) continue
      const near = vocabulary.near(form, form.length >= LONG_WORD ? 2 : 1)
      const sure = matchConfidence(form.length, near.distance) * (form === folded ? 1 : 0.9)
      for (const id of near.ids.slice(0, MAX_CORRECTIONS)) {
        this.addId(id, sure)
        for (const stem of stemmer.forms(vocabulary.terms[id] ?? '')) this.add(stem, sure * 0.95)
      }
    }
  }

  addSynonyms(folded: string, forms: readonly string[]): void {
    for (const form of new Set([folded, ...forms])) {
      for (const other of this.lookup.synonyms.get(form) ?? []) {
        this.add(other, SYNONYM_WEIGHT)
        for (const stem of this.lookup.stemmer.forms(other)) this.add(stem, SYNONYM_WEIGHT)
      }
    }
  }

  alternatives(): { id: number; weight: number }[] {
    return [...this.weights].map(([id, weight]) => ({ id, weight }))
  }
}

/** The content words of a question: no small words, unless there is nothing else. */
function contentWords(question: string): string[] {
  const all = new Map<string, string>()
  for (const word of splitWords(question)) {
    const folded = fold(word)
    if (folded !== '' && !all.has(folded)) all.set(folded, word)
  }
  const content = [...all].filter(([folded]) => !isStopWord(folded))
  return content.slice(0, MAX_WORDS).map(([, word]) => word)
}

/** `nasl` and `whcih` are no topic, but `world` is no `would`. A long word that the index nearly has is one, though. */
function isMisspelledStopWord(folded: string, { stopWords, vocabulary }: Lookup): boolean {
  if (isEverydayWord(folded) || folded.length < MIN_SLIP) return false
  if (stopWords.near(folded, 1).ids.length === 0) return false
  return folded.length < LONG_WORD || vocabulary.near(folded, 1).ids.length === 0
}

/** Reads a question: each content word with the index terms that may stand for it. */
export function parseQuery(question: string, lookup: Lookup): QueryWord[] {
  const isTurkish = detectLanguage(question) === 'tr'
  const content = contentWords(question)
  const folded = content.map((word) => fold(word))
  const found = content.map((word, at) => {
    const joined = [`${folded[at - 1] ?? ''}${folded[at]}`, `${folded[at]}${folded[at + 1] ?? ''}`]
    const known = joined.filter(
      (term) => term !== folded[at] && lookup.vocabulary.find(term) !== undefined,
    )
    return lookupMemory(lookup.words, `${isTurkish} ${word} ${known.join(' ')}`, () =>
      parseWord(word, { joined: known, isTurkish }, lookup),
    )
  })
  return found.filter((word) => word !== null)
}

/** People ask with the same words again and again; what stands for them is worked out once. */
function lookupMemory(
  memory: WordMemory,
  key: string,
  read: () => QueryWord | null,
): QueryWord | null {
  const known = memory.get(key)
  if (known !== undefined) return known
  const word = read()
  if (memory.size >= MAX_REMEMBERED) memory.clear()
  memory.set(key, word)
  return word
}

/** One word, also written together with its neighbours; null when it is a slip of a small word. */
function parseWord(
  word: string,
  { joined, isTurkish }: { joined: readonly string[]; isTurkish: boolean },
  lookup: Lookup,
): QueryWord | null {
  const forms = lookup.stemmer.forms(word)
  const folded = forms[0] ?? ''
  const expander = new WordExpander(lookup)
  for (const form of forms) expander.add(form, form === folded ? 1 : STEM_WEIGHT)
  for (const term of joined) expander.add(term, JOINED_WEIGHT)
  if (/^\d{1,3}$/.test(folded)) expander.add(`v${folded}`, JOINED_WEIGHT)
  if (/^v\d{1,3}$/.test(folded)) expander.add(folded.slice(1), JOINED_WEIGHT)
  const isPlain = /^\p{L}+$/u.test(folded)
  if (isPlain && (isTurkish || !expander.has(STEM_WEIGHT))) expander.addRelated(folded, forms)
  const roots = isPlain && isTurkish ? verbRoots(folded) : []
  if (roots.length > 0) expander.addVerbForms(folded)
  expander.addSynonyms(folded, [...forms, ...roots])
  if (!expander.has(SURE_MATCH)) {
    if (isMisspelledStopWord(folded, lookup)) return null
    for (const part of nameParts(word)) expander.add(fold(part), PART_WEIGHT)
    expander.addTypos(folded, forms)
  }
  return { folded, isGeneral: isGeneralWord(folded), terms: expander.alternatives() }
}
