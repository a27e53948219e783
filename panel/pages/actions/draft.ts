import type { Action, ActionMethod, NewAction } from '../../../server/actions/schema.ts'
import { rowsFrom, schemaFrom, type InputRow } from './input-rows.ts'
import type { Texts } from './texts.ts'

interface HeaderRow {
  name: string
  /** Empty for a stored one that stays as it is. */
  value: string
  isStored: boolean
}

/** An action as it is typed in. */
export interface Draft {
  name: string
  when: string
  /** One phrase on each line, by language. */
  triggers: Texts
  inputs: InputRow[]
  /** Keywords of the schema beside its properties. */
  schemaRest: Record<string, unknown>
  method: ActionMethod
  url: string
  headers: HeaderRow[]
  /** JSON; empty without one. */
  body: string
  fields: { name: string; place: string }[]
  say: Texts
  notFound: Texts
  onlyVerified: boolean
  confirms: boolean
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function emptyDraft(): Draft {
  return {
    name: '',
    when: '',
    triggers: {},
    inputs: [],
    schemaRest: {},
    method: 'GET',
    url: '',
    headers: [],
    body: '',
    fields: [{ name: '', place: '' }],
    say: {},
    notFound: {},
    onlyVerified: false,
    confirms: false,
  }
}

/** @param own the language of the site, which a text for all languages is shown in. */
export function draftOf(action: Action, own: keyof Texts): Draft {
  const texts = (given: string | Texts | undefined): Texts =>
    typeof given === 'string' ? { [own]: given } : (given ?? {})
  const questions = Object.fromEntries(
    Object.entries(action.questions).map(([name, given]) => [name, texts(given)]),
  )
  const { rows, rest } = rowsFrom(action.inputs_schema, questions)
  return {
    name: action.name,
    when: action.when,
    triggers: Object.fromEntries(
      Object.entries(action.triggers).map(([language, phrases]) => [language, phrases.join('\n')]),
    ),
    inputs: rows,
    schemaRest: rest,
    method: action.method,
    url: action.url,
    headers: Object.keys(action.headers).map((name) => ({ name, value: '', isStored: true })),
    body: action.body === null ? '' : JSON.stringify(action.body, null, 2),
    fields: Object.entries(action.answer.fields).map(([name, place]) => ({ name, place })),
    say: texts(action.answer.say),
    notFound: texts(action.answer.not_found),
    onlyVerified: action.requires_verified_visitor,
    confirms: action.confirm,
  }
}

/** Returns what is sent for a draft, without headers. Throws SyntaxError for a broken body. */
export function definitionOf(draft: Draft): Omit<NewAction, 'headers' | 'active'> {
  const { method, body } = draft
  const isSent = method !== 'GET' && body.trim() !== ''
  const notFound = filled(draft.notFound)
  const questions = draft.inputs.flatMap(({ name, question }) => {
    const texts = filled(question)
    return Object.keys(texts).length > 0 ? [[name.trim(), texts] as const] : []
  })
  return {
    name: draft.name.trim(),
    when: draft.when.trim(),
    triggers: Object.fromEntries(
      Object.entries(filled(draft.triggers)).map(([language, text]) => [language, linesOf(text)]),
    ),
    inputs_schema: schemaFrom(draft.inputs, draft.schemaRest),
    questions: Object.fromEntries(questions),
    method,
    url: draft.url.trim(),
    body: isSent ? JSON.parse(body) : null,
    answer: {
      fields: Object.fromEntries(
        draft.fields
          .filter(({ name, place }) => name.trim() !== '' || place.trim() !== '')
          .map(({ name, place }) => [name.trim(), pointerOf(place.trim())]),
      ),
      say: filled(draft.say),
      ...(Object.keys(notFound).length > 0 ? { not_found: notFound } : {}),
    },
    requires_verified_visitor: draft.onlyVerified,
    confirm: method !== 'GET' || draft.confirms,
  }
}

/** Headers of a new action: all that have a value. */
export function newHeaders({ headers }: Draft): Record<string, string> {
  return Object.fromEntries(
    headers.flatMap(({ name, value }) =>
      name.trim() === '' ? [] : [[name.trim(), value.trim()] as const],
    ),
  )
}

/** Headers that change: new values, and null for those that were taken away. */
export function changedHeaders(
  { headers }: Draft,
  stored: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const names = new Set(headers.map(({ name }) => name.trim()))
  const removed = Object.keys(stored).filter((name) => !names.has(name))
  const given = headers.filter(({ name, value, isStored }) => name !== '' && !(isStored && !value))
  return {
    ...Object.fromEntries(removed.map((name) => [name, null])),
    ...Object.fromEntries(given.map(({ name, value }) => [name.trim(), value.trim()])),
  }
}

/** A place in the answer as a JSON Pointer; people also write `order.status`. */
function pointerOf(place: string): string {
  if (place === '' || place.startsWith('/')) return place
  return `/${place.replaceAll('.', '/')}`
}

function filled(texts: Texts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([language, text]) =>
      text.trim() === '' ? [] : [[language, text.trim()] as const],
    ),
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
