import { z } from 'zod'
import { AttemptOutcome } from '../delivery/schema.ts'
import { IsoTime } from '../http/pagination.ts'
import { text } from '../http/text-field.ts'
import { LANGUAGES } from '../lib/text/language.ts'

export const MAX_ACTIONS = 20
/** Upper bound of an input and of a value that is shown, in characters. */
export const MAX_INPUT_LENGTH = 200
export const MAX_SHOWN_LENGTH = 300
const MAX_NAME_LENGTH = 80
const MAX_HEADERS = 10
const MAX_TRIGGERS = 20
const MAX_FIELDS = 20
const MAX_URL_LENGTH = 2_048
const MAX_BODY_LENGTH = 16_384

const ByLanguage = (max: number) => z.partialRecord(z.enum(LANGUAGES), text(1, max))
/** A text that visitors see: one for all languages, or one by language. */
const Localized = (max: number) => z.union([text(1, max), ByLanguage(max)])
export type LocalizedTexts = z.infer<ReturnType<typeof Localized>>

const FieldName = z.string().regex(/^[A-Za-z]\w{0,39}$/, 'must be letters, digits and “_”')
const JsonPointer = z
  .string()
  .max(200)
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'must be a JSON Pointer like "/order/status"')

/** Which values of a response are shown, and how they are said. */
export const ActionAnswer = z.strictObject({
  fields: z
    .record(FieldName, JsonPointer)
    .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `has more than ${MAX_FIELDS}`)
    .default({})
    .describe(
      'The values of the JSON response that visitors may see, by name: a JSON Pointer each. A response without one of them counts as a failure; null is shown as a dash.',
    ),
  say: Localized(1_000).describe(
    'How they are said, with `{{name}}` for a field. Fields are inserted as text.',
  ),
  not_found: Localized(500)
    .optional()
    .describe('What is said where the service answers 404; a general sentence by default.'),
})

const HeaderName = z.string().regex(/^[A-Za-z0-9-]{1,60}$/, 'must be the name of a header')
const HeaderValue = z
  .string()
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,998}[\x21-\x7e])?$/, 'must be printable ASCII characters')

export const ActionMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
export type ActionMethod = z.infer<typeof ActionMethod>

export const ActionTriggers = z
  .partialRecord(z.enum(LANGUAGES), z.array(text(2, 80)).max(MAX_TRIGGERS))
  .describe('Phrases that ask for it without a model, by language.')

export const ActionQuestions = z
  .record(FieldName, Localized(300))
  .describe('How a visitor is asked for an input, by the name of the input.')

const Definition = {
  when: text(1, 500).describe('When a model is to use it, such as “asks where an order is”.'),
  triggers: ActionTriggers,
  inputs_schema: z
    .record(z.string(), z.unknown())
    .describe(
      'JSON Schema of the inputs: an object of at most 10 texts, numbers, switches or choices.',
    ),
  questions: ActionQuestions,
  method: ActionMethod.describe('Anything but GET is confirmed by the visitor first.'),
  url: z
    .string()
    .min(1)
    .max(MAX_URL_LENGTH)
    .describe(
      'An https address with `{input}` in segments of the path and in values of the query, nowhere else.',
    ),
  body: z
    .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .refine((body) => JSON.stringify(body).length <= MAX_BODY_LENGTH, 'is too long')
    .nullable()
    .describe(
      'The JSON that is sent, where the text `"{input}"` stands for an input. Without it, anything but GET and DELETE sends the inputs.',
    ),
  answer: ActionAnswer,
  requires_verified_visitor: z
    .boolean()
    .describe('Only for visitors whose identity the site has signed; `X-Sohbet-Visitor` says who.'),
  confirm: z
    .boolean()
    .describe('Whether the visitor has to say yes first: always true for anything but GET.'),
}

/** The stored part of an action that is neither secret nor a column. */
export const ActionDefinition = z.strictObject(Definition)
export type ActionDefinition = z.infer<typeof ActionDefinition>

const Name = text(1, MAX_NAME_LENGTH).describe('What visitors read when they confirm.')
const Active = z.boolean().describe('Whether visitors can use it.')
const HEADERS = 'Headers of each call, such as a key. Values are encrypted, and never shown again.'
const fewHeaders = (headers: object) => Object.keys(headers).length <= MAX_HEADERS

export const NewAction = z.strictObject({
  name: Name,
  when: Definition.when,
  triggers: Definition.triggers.default({}),
  inputs_schema: Definition.inputs_schema.default({ type: 'object' }),
  questions: Definition.questions.default({}),
  method: Definition.method.default('GET'),
  url: Definition.url,
  body: Definition.body.default(null),
  answer: ActionAnswer,
  requires_verified_visitor: Definition.requires_verified_visitor.default(false),
  confirm: Definition.confirm.optional(),
  headers: z
    .record(HeaderName, HeaderValue)
    .refine(fewHeaders, `has more than ${MAX_HEADERS}`)
    .default({})
    .describe(HEADERS),
  active: Active.default(false),
})
export type NewAction = z.infer<typeof NewAction>

export const ActionPatch = z.strictObject({
  ...z.object(Definition).partial().shape,
  name: Name.optional(),
  headers: z
    .record(HeaderName, HeaderValue.nullable())
    .refine(fewHeaders, `has more than ${MAX_HEADERS}`)
    .optional()
    .describe(`${HEADERS} Others stay; null removes one.`),
  active: Active.optional(),
})
export type ActionPatch = z.infer<typeof ActionPatch>

export const Action = z.object({
  action_id: z.string().meta({ examples: ['act_0WzC2Nk3ZtVn8RqXw5kJd0LpYcGhM'] }),
  tenant_id: z.string(),
  name: z.string(),
  ...Definition,
  headers: z.record(z.string(), z.string()).describe('The names; every value is masked.'),
  active: z.boolean(),
  created_at: IsoTime,
  updated_at: IsoTime,
})
export type Action = z.infer<typeof Action>

const SigningSecret = {
  secret: z.string().describe('The key of the signatures. Only in this answer.'),
  standard_secret: z
    .string()
    .describe('The same in the form that libraries of Standard Webhooks take.'),
}
export const CreatedAction = Action.extend(SigningSecret)
export type CreatedAction = z.infer<typeof CreatedAction>

export const RotatedActionSecret = z.object({
  action_id: z.string(),
  ...SigningSecret,
  previous_valid_until: IsoTime.describe('Until then the old secret signs too.'),
})

export const ImportActions = z.strictObject({
  document: z
    .record(z.string(), z.unknown())
    .describe('An OpenAPI 3.x document as JSON, with an https server.'),
  operations: z
    .array(z.string().max(200))
    .max(100)
    .optional()
    .describe('The `operationId`s to import; all of them by default.'),
})
export type ImportActions = z.infer<typeof ImportActions>

export const ImportedActions = z.object({
  data: z.array(CreatedAction),
  skipped: z
    .array(z.object({ operation: z.string(), reason: z.string() }))
    .describe('Operations that became no action, and why.'),
})
export type ImportedActions = z.infer<typeof ImportedActions>

const ActionInputs = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
export type ActionInputs = z.infer<typeof ActionInputs>

const isSmall = (inputs: object) => JSON.stringify(inputs).length <= MAX_BODY_LENGTH

export const TestAction = z.strictObject({
  inputs: ActionInputs.refine(isSmall, 'are too long')
    .default({})
    .describe('What a visitor would say.'),
  visitor: text(1, 200)
    .optional()
    .describe('Sent as the verified visitor, as `sub` of an identity token would be.'),
})
export type TestAction = z.infer<typeof TestAction>

/** One request to the owner's service. */
export const ActionAttempt = AttemptOutcome.extend({
  number: z.int().describe('Counts from 1.'),
  at: IsoTime.describe('When it started.'),
  answer: z
    .string()
    .nullable()
    .describe('The first KiB of the response, made safe to show and without secrets.'),
})
export type ActionAttempt = z.infer<typeof ActionAttempt>

const CallState = z
  .enum(['running', 'done', 'not_found', 'refused', 'failed', 'unknown'])
  .describe(
    '`unknown`: a change was sent and no clear response came; it is never sent again. `refused`: the service answered 4xx.',
  )

const Shown = z
  .record(z.string(), z.string())
  .nullable()
  .describe('The fields as the visitor was told; null without a usable response.')
const CallError = z
  .string()
  .nullable()
  .describe(
    'Why it failed: `timeout`, `connection_failed`, `address_not_allowed`, `redirect`, `too_large`, `not_json`, `field_missing: …` or `status …`.',
  )

/** A call in the log of an action. */
export const ActionCall = z.object({
  call_id: z.string().describe('Sent as `webhook-id`, the same at every attempt.'),
  action_id: z.string(),
  session_id: z.string().nullable().describe('The conversation; null for a test.'),
  message_id: z.string().nullable().describe('The message of the visitor that caused it.'),
  is_test: z.boolean(),
  state: CallState,
  inputs: ActionInputs,
  error: CallError,
  shown: Shown,
  attempts: z.array(ActionAttempt),
  created_at: IsoTime,
  ended_at: IsoTime.nullable(),
})
export type ActionCall = z.infer<typeof ActionCall>

export const ActionTest = z.object({
  call_id: z.string(),
  state: CallState,
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()).describe('As sent, with secrets masked.'),
    body: z.string().nullable(),
  }),
  error: CallError,
  shown: Shown,
  said: z
    .record(z.string(), z.string())
    .describe('What a visitor would read, by language; empty without a usable response.'),
  attempts: z.array(ActionAttempt),
})
export type ActionTest = z.infer<typeof ActionTest>
