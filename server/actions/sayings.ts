import type { DialogReply } from '../chat/turn/dialog.ts'
import { chatStrings } from '../chat/session/strings.ts'
import type { Language } from '../lib/text/language.ts'
import { type ActionStrings, en } from '../locales/actions/en.ts'
import { ar } from '../locales/actions/ar.ts'
import { de } from '../locales/actions/de.ts'
import { tr } from '../locales/actions/tr.ts'
import { ANSWER_STRINGS } from '../models/embedded/answers/strings.ts'
import { type TenantRow, leadFormOf } from '../tenants/tenants.ts'
import { fillText, inLanguage, shownText } from './answer-text.ts'
import { shownBy } from './calls.ts'
import type { InputField, LoadedAction } from './definition.ts'
import type { ActionInputs } from './schema.ts'
import type { CallRow } from './store.calls.ts'

const STRINGS: Readonly<Record<Language, ActionStrings>> = { tr, en, de, ar }

export function actionStrings(language: Language): ActionStrings {
  return STRINGS[language]
}

/** Asks for an input, in the owner's words where there are any. */
export function askFor(
  { definition }: LoadedAction,
  { name, label }: InputField,
  language: Language,
  isAgain: boolean,
): DialogReply {
  const words = STRINGS[language]
  const own = definition.questions[name]
  const question = own === undefined ? words.ask(label) : inLanguage(own, language)
  const content = isAgain ? `${words.askAgain} ${question}` : question
  return { content, quickReplies: [words.cancel] }
}

/** Asks whether to go ahead, and names every input that will be sent. */
export function askToConfirm(
  { row, fields }: LoadedAction,
  inputs: ActionInputs,
  language: Language,
): DialogReply {
  const words = STRINGS[language]
  const given = fields.flatMap(({ name, label }) => {
    const value = inputs[name]
    return value === undefined ? [] : [`${label}: ${shownText(value)}`]
  })
  const what = [shownText(row.name), ...given].join(', ')
  return {
    content: `${words.confirm(what)}\n${words.confirmEnd}`,
    quickReplies: [words.yes, words.no],
  }
}

/** Says how a call ended; after a failure it offers a person. */
export function sayOutcome(
  { definition }: LoadedAction,
  call: CallRow,
  { tenant, language }: { tenant: TenantRow; language: Language },
): DialogReply {
  const words = STRINGS[language]
  if (call.state === 'done') {
    const said = fillText(inLanguage(definition.answer.say, language), shownBy(call) ?? {})
    return { content: said, quickReplies: [] }
  }
  if (call.state === 'not_found') {
    const own = definition.answer.not_found
    return {
      content: own === undefined ? words.notFound : inLanguage(own, language),
      quickReplies: [],
    }
  }
  const { refused, failed, unknown } = words
  const said = { refused, failed, unknown, running: unknown }[call.state]
  return offerHelp(said, tenant, language)
}

function offerHelp(said: string, tenant: TenantRow, language: Language): DialogReply {
  const { offerPerson, offerForm } = ANSWER_STRINGS[language]
  if (tenant.handoff !== 'off') {
    const button = chatStrings(language).talkToPerson
    return { content: `${said} ${offerPerson}`, quickReplies: [button] }
  }
  if (!leadFormOf(tenant).enabled) return { content: said, quickReplies: [] }
  return { content: `${said} ${offerForm}`, quickReplies: [], form: 'lead' }
}
