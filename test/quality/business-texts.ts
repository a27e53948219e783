import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ar } from '../../server/models/embedded/lexicon/talk.ar.ts'
import { de } from '../../server/models/embedded/lexicon/talk.de.ts'
import { en } from '../../server/models/embedded/lexicon/talk.en.ts'
import { tr } from '../../server/models/embedded/lexicon/talk.tr.ts'
import { readExamples, readTopics } from './fit.intents.ts'
import { SETS, UNFITTED } from './sets.ts'
import { readVisitors } from './visitors.ts'

const SMALL_TALK = join(import.meta.dirname, 'small-talk/tuned.txt')

const readPhrases = (phrases: string): string[] =>
  phrases.split(',').map((phrase) => phrase.replaceAll('*', '').trim())

/** Ordinary texts of a business: small talk, messages of visitors, and examples of questions and of sentences of pages. */
export function readBusinessTexts(): { talk: string[]; asked: string[]; written: string[] } {
  const asked = SETS.filter(({ part }) => !UNFITTED.has(part)).flatMap(({ part, sites }) =>
    sites.flatMap((site) => readVisitors(site, part).flatMap(({ messages }) => messages)),
  )
  const phrases = [tr, en, de, ar].flatMap((all) => Object.values(all).flatMap(readPhrases))
  const small = readFileSync(SMALL_TALK, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(2).join(' '))
  const written = [...readExamples(), ...readTopics().examples].map(({ text }) => text)
  return { talk: [...phrases, ...small], asked, written }
}
