import { z } from 'zod'
import { Citation, MAX_MESSAGE_LENGTH } from '../chat/schema.ts'
import { IsoTime } from '../http/pagination.ts'
import { text } from '../http/text-field.ts'
import { Locale } from '../tenants/schema.ts'

const MAX_WORDS = 20

export const AskQuestion = z.strictObject({
  question: text(1, MAX_MESSAGE_LENGTH),
  locale: Locale.optional().describe("The visitor's; the site's if left out"),
})
export type AskQuestion = z.infer<typeof AskQuestion>

/** How the bot takes a question. */
export const AskOutcome = z.enum(['answered', 'unsure', 'refused', 'small_talk'])
export type AskOutcome = z.infer<typeof AskOutcome>

/** The reason for the outcome. */
const AskReason = z.enum([
  'passages_quoted',
  'no_passages',
  'below_threshold',
  'small_talk',
  'model_answered',
  'model_declined',
])
export type AskReason = z.infer<typeof AskReason>

/** The bot's answer to a question, with its sources. */
export const Asked = z.object({
  outcome: AskOutcome,
  answer: z.string(),
  confidence: z.number(),
  threshold: z.number().describe("The tenant's `answer_threshold`"),
  reason: AskReason.describe('The reason for the outcome'),
  citations: z.array(Citation.extend({ doc_id: z.string() })),
  passages: z.array(
    z.object({
      doc_id: z.string(),
      title: z.string(),
      url: z.string().nullable(),
      text: z.string(),
      score: z.number(),
    }),
  ),
  credits_used: z.number().describe('0 if no model was called'),
})
export type Asked = z.infer<typeof Asked>

/** Criteria of a right answer: a document, words, or none, when the bot should not know. */
export const Expected = z
  .strictObject({
    doc_id: z.string().min(1).max(64).optional().describe('The document to cite'),
    words: z
      .array(text(1, 200))
      .min(1)
      .max(MAX_WORDS)
      .optional()
      .describe('Words that the answer must contain; `a|b` matches either'),
    none: z.literal(true).optional().describe('The documents do not answer it'),
  })
  .refine(
    ({ doc_id, words, none }) =>
      none === undefined ? doc_id !== undefined || words !== undefined : !doc_id && !words,
    { message: 'must have doc_id, words or both, or none alone' },
  )
export type Expected = z.infer<typeof Expected>

export const NewTestQuestion = z.strictObject({
  question: text(1, MAX_MESSAGE_LENGTH),
  expected: Expected,
})
export type NewTestQuestion = z.infer<typeof NewTestQuestion>

export const TestQuestion = z.object({
  question_id: z.string(),
  question: z.string(),
  expected: Expected,
  created_at: IsoTime,
})
export type TestQuestion = z.infer<typeof TestQuestion>

export const AnswerVerdict = z.enum(['right', 'partly', 'refused', 'wrong'])
export type AnswerVerdict = z.infer<typeof AnswerVerdict>

/** AnswerFigures of judged answers. */
export const AnswerFigures = z.object({
  right: z.int(),
  partly: z.int(),
  refused: z.int().describe('Not answered, although the documents have the answer'),
  wrong: z.int(),
  hit_rate: z
    .number()
    .nullable()
    .describe(
      '0 to 1: the share of questions whose passages hold the expected answer; null without a question',
    ),
  calibration: z
    .array(z.object({ from: z.number(), to: z.number(), answers: z.int(), right: z.int() }))
    .describe('How many of the answers in this range of confidence were right'),
  credits_used: z.number(),
})
export type AnswerFigures = z.infer<typeof AnswerFigures>

export const TestResults = AnswerFigures.extend({
  run_id: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  error: z.string().nullable(),
  at: IsoTime.describe('The end of the run; its start while it runs'),
  results: z.array(
    z.object({
      question_id: z.string(),
      question: z.string(),
      outcome: AnswerVerdict,
      before: AnswerVerdict.nullable().describe('In the previous run'),
      changed: z.boolean().describe('Whether the outcome differs from the previous run'),
      answer: z.string(),
      confidence: z.number(),
      credits_used: z.number(),
    }),
  ),
})
export type TestResults = z.infer<typeof TestResults>
