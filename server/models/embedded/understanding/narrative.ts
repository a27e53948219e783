import { fold, splitWords } from '../../../lib/text/fold.ts'
import type { Language } from '../../../lib/text/language.ts'
import { sentences } from '../../../lib/text/sentences.ts'
import { isGeneralWord, isStopWord } from '../../../lib/text/stop-words.ts'
import { readKind } from './question-kind.ts'

const MIN_NARRATIVE_WORDS = 16
/** A question with fewer words on its topic is asked about the story before it. */
const MIN_TOPICS = 2

/** A message's question, and the story around it. */
export interface Focus {
  question: string
  context: string
}

/** Whether a message tells more than it asks. */
export function isNarrative(text: string): boolean {
  return splitWords(text).length >= MIN_NARRATIVE_WORDS
}

function countTopics(text: string, language: Language): number {
  return splitWords(text).filter((word) => {
    const folded = fold(word)
    return !isStopWord(folded, language) && !isGeneralWord(folded) && folded.length > 2
  }).length
}

/**
 * Finds what a long message asks: its last question, or its last sentence, together with the sentence
 * before where it has too few words of its own.
 */
export function readFocus(text: string, language: Language): Focus {
  const all = text.split('\n').flatMap((line) => sentences(line))
  const asked = all.findLastIndex((sentence) => sentence.endsWith('?'))
  const wished = all.findLastIndex((sentence) => readKind(fold(sentence)).kind !== undefined)
  const at = asked >= 0 ? asked : wished >= 0 ? wished : all.length - 1
  let first = at
  while (first > 0 && countTopics(all.slice(first, at + 1).join(' '), language) < MIN_TOPICS)
    first -= 1
  return {
    question: all.slice(first, at + 1).join(' '),
    context: [...all.slice(0, first), ...all.slice(at + 1)].join(' '),
  }
}

/** What people write who are worried or annoyed, folded. */
const UPSET =
  /\b(?:cok (?:uzuldum|uzgunum|utandim|kotu oldu|endiseliyim)|uzuldum|magdur|perisan|rezil (?:oldu|ettiniz)|rezalet|bikti[mk]|sinir oldum|cildir|endiselen\w*|hayal kirikligi|(?:cok )?kaba (?:davran|konus)\w*|saygisiz\w*|terbiyesiz\w*)|\b(?:really |very |so |getting )?(?:worried|upset|disappointed|frustrat\w+|annoyed|furious|embarrass\w+|devastated|unacceptable|(?:so |very )?rude(?: to (?:me|us))?)\b|\b(?:i am|i'm|im|we are|we're|so|very|really|getting) angry\b|\b(?:enttauscht|verargert|wutend|besorgt|mache mir sorgen|unverschamt|peinlich|unhoflich)\b|قلق|محبط|غاضب|مستاء|منزعج/

/** Whether a folded message tells that its writer is worried or annoyed. */
export const isUpset = (folded: string): boolean => UPSET.test(folded)
