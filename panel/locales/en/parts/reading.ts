import { words as problems } from './reading-problems.ts'

export const words = {
  states: {
    problems,
    queued: 'Waiting',
    indexing: 'Reading…',
    failed: 'Could not be read',
    ready: (count: number, shown: string) => (count === 1 ? '1 passage' : `${shown} passages`),
    pages: (ready: string, total: string) => `${ready} of ${total} pages read`,
  },
  files: {
    drop: 'Drop files here',
    kinds: 'PDF, Word, Markdown, HTML or text, up to 10 MB each.',
    choose: 'Choose files',
    uploading: (name: string) => `Uploading ${name}…`,
    added: (name: string) => `${name} is being read.`,
  },
  ask: {
    question: 'Your question',
    placeholder: 'As a visitor would ask it',
    ask: 'Ask',
    tryThese: 'Try:',
    outcomes: {
      answered: 'Answered',
      unsure: 'Not sure',
      refused: 'Not answered',
      small_talk: 'Small talk',
    },
    reasons: {
      passages_quoted: 'The answer quotes the passages below.',
      no_passages: 'No passage fits the question.',
      below_threshold: 'The passages do not answer the question clearly enough.',
      small_talk: 'This is no question about the documents.',
      model_answered: 'The model answered from the passages below.',
      model_declined: 'The model found no answer in the passages.',
    },
    confidence: (confidence: string, threshold: string) =>
      `Confidence ${confidence}; answers need ${threshold}.`,
    sources: 'Sources',
    noSources: 'No passage fits this question.',
    passages: 'What the assistant read for this',
    score: 'Score',
    fix: 'Open the document',
    fixHint:
      'Is the answer wrong? Open its document and say it there in one clear sentence under its own heading.',
    cost: (count: number, shown: string) =>
      count === 1 ? 'Cost: 1 credit.' : `Cost: ${shown} credits.`,
  },
}
export type ReadingWords = typeof words
