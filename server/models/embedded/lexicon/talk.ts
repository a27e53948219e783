/** What is said around questions; a message that consists only of these needs no search. */
export const TALKS = [
  'insult',
  'complaint',
  'expensive',
  'bot',
  'help',
  'thanks',
  'praise',
  'bye',
  'howAreYou',
  'hello',
  'laugh',
  'wait',
  'sorry',
  'no',
  'yes',
  'ok',
] as const

export type Talk = (typeof TALKS)[number]

/**
 * Phrases of one language by talk, folded, separated by commas; `*` stands for any ending. `filler`
 * may stand between them.
 */
export type TalkPhrases = Readonly<Record<Talk | 'filler', string>>
