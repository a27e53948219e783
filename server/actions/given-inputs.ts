import type { Context } from '../context.ts'
import { fold, splitWords } from '../lib/text/fold.ts'
import type { Language } from '../lib/text/language.ts'
import { readMessage } from '../models/embedded/understanding/message.ts'
import { readSmallTalk } from '../models/embedded/understanding/small-talk.ts'
import type { Talk } from '../models/embedded/lexicon/talk.ts'
import type { InputField, LoadedAction } from './definition.ts'
import { type ActionInputs, MAX_INPUT_LENGTH } from './schema.ts'
import { isPathValue, readUrlTemplate } from './url-template.ts'

const MAX_CANDIDATES = 30
const OTHER_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g
/** A token of a sentence that is more than one of its words. */
const TELLING = /[\p{Nd}@]/u
const QUESTION_MARK = /[?؟]/
/** Ends a dialog, folded. */
const CANCELLING = new Set(
  `vazgec,vazgectim,vazgec lutfen,iptal,iptal et,iptal edin,istemiyorum,bosver,bos ver,cancel,cancel it,stop,quit,abort,never mind,nevermind,forget it,forget about it,abbrechen,abbruch,stopp,vergiss es,vergessen sie es,doch nicht,الغاء,الغ,الغي,توقف,انسي الامر,لا اريد`.split(
    ',',
  ),
)

type InputValue = ActionInputs[string]

/** How a message stands to an open dialog, apart from the value that it may hold. */
export interface DialogTone {
  talk: Talk | undefined
  isCancelling: boolean
  /** It asks something, or is small talk: the answerer takes it. */
  isDigression: boolean
}

export function readTone(text: string, language: Language): DialogTone {
  const plain = fold(text)
    .replaceAll(/[^\p{L}\p{N}\s]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const isCancelling = CANCELLING.has(plain)
  const small = readSmallTalk(text, { preferred: language, written: fold(text) })
  const talk = small?.isWhole ? small.talk : undefined
  const { kind, wish } = readMessage(text, { locale: language })
  const asks = QUESTION_MARK.test(text) || kind !== undefined || wish !== undefined
  return { talk, isCancelling, isDigression: asks || talk !== undefined }
}

/**
 * Returns the value of an input in a message that was not asked for it, such as the number in
 * “Where is order 12345?”; `undefined` without one that stands out.
 */
export async function findInput(
  ctx: Context,
  action: LoadedAction,
  field: InputField,
  text: string,
): Promise<InputValue | undefined> {
  const { schema } = field
  const hasForm = schema.pattern !== undefined || schema.format !== undefined
  const isFree = schema.type === 'string' && !hasForm && schema.enum === undefined
  if (isFree || schema.type === 'boolean') return undefined
  const tokens = tokensOf(text).filter(
    (token) => schema.enum !== undefined || (TELLING.test(token) && !/\s/.test(token)),
  )
  return firstFit(ctx, action, field, tokens)
}

/** Returns the value of the input that was asked for; `undefined` for a message that does not fit. */
export async function readInput(
  ctx: Context,
  action: LoadedAction,
  field: InputField,
  text: string,
  { talk, isDigression }: DialogTone,
): Promise<InputValue | undefined> {
  if (field.schema.type === 'boolean' && field.schema.enum === undefined) {
    return talk === 'yes' ? true : talk === 'no' ? false : undefined
  }
  const found = await findInput(ctx, action, field, text)
  if (found !== undefined) return found
  const isFree = field.schema.type === 'string' && field.schema.enum === undefined
  if (isDigression || !isFree) return undefined
  return firstFit(ctx, action, field, [westernDigits(text.trim())])
}

async function firstFit(
  ctx: Context,
  action: LoadedAction,
  field: InputField,
  texts: readonly string[],
): Promise<InputValue | undefined> {
  for (const text of texts.slice(0, MAX_CANDIDATES)) {
    for (const value of valuesOf(field, text)) {
      if (await fits(ctx, action, field, value)) return value
    }
  }
  return undefined
}

/** Whether a value may stand for an input, by its schema and by its place in the address. */
async function fits(
  ctx: Context,
  { row, definition }: LoadedAction,
  { name, schema }: InputField,
  value: InputValue,
): Promise<boolean> {
  if (String(value).length > MAX_INPUT_LENGTH) return false
  const names = readUrlTemplate(definition.url)
  if (typeof names !== 'string' && names.path.includes(name) && !isPathValue(value)) return false
  const key = `${row.id}:${row.updated_at}:${name}`
  const own = { type: 'object', properties: { [name]: schema }, required: [name] }
  const check = await ctx.actionCalls.schemas.checkOf(key, own)
  return check({ [name]: value }).length === 0
}

function valuesOf({ schema }: InputField, text: string): InputValue[] {
  if (Array.isArray(schema.enum)) {
    const choices: unknown[] = schema.enum
    return choices.filter(isScalar).filter((choice) => fold(String(choice)) === fold(text))
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    const plain = text.replace(/^#/, '').replace(/^(\d+),(\d+)$/, '$1.$2')
    return /^-?\d{1,15}(?:\.\d{1,6})?$/.test(plain) ? [Number(plain)] : []
  }
  return [...new Set([text, text.toUpperCase()])]
}

function isScalar(value: unknown): value is InputValue {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The whole text, then its parts between spaces, without marks around them and Turkish endings. */
function tokensOf(text: string): string[] {
  const plain = westernDigits(text.trim())
  const parts = plain.split(/\s+/).flatMap((part) => {
    const bare = part.replaceAll(/^[#"'“„(]+|[.,;:!?؟)"'”]+$/gu, '')
    const beforeEnding = bare.replace(/['’]\p{L}{1,8}$/u, '')
    return [bare, beforeEnding]
  })
  return [...new Set([plain, ...parts, ...splitWords(plain)])].filter(Boolean)
}

function westernDigits(text: string): string {
  return text.replaceAll(OTHER_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
}
