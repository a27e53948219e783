import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Action, ActionInputs, ActionTest } from '../../../server/actions/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { AttemptList } from '../../attempts/attempt-list.tsx'
import type { Words } from '../../locales/en/actions.ts'
import { Form, useForm } from '../../ui/form.tsx'
import { Card, CopyBox } from '../../ui/page.tsx'
import { PlainCheck, PlainField, PlainSelect } from '../../ui/plain-field.tsx'
import { CallState, callError } from './call-state.tsx'
import { explainActionField } from './field-problems.ts'
import { choicesOf, rowsFrom, type InputRow } from './input-rows.ts'

/** Calls the site's system once, as a visitor would, and shows what was sent and what came back. */
export function TestCall({
  value,
  path,
  words,
}: {
  value: Action
  path: string
  words: Words
}): VNode {
  const { api, words: common } = useApp()
  const form = useForm((message) => explainActionField(message, words.problems))
  const typed = useSignal<Record<string, string>>({})
  const visitor = useSignal('')
  const outcome = useSignal<ActionTest | undefined>(undefined)
  const { rows } = rowsFrom(value.inputs_schema, {})

  async function send(): Promise<void> {
    outcome.value = undefined
    outcome.value = await api.post<ActionTest>(`${path}/test`, {
      inputs: inputsOf(rows, typed.value),
      ...(visitor.value.trim() === '' ? {} : { visitor: visitor.value.trim() }),
    })
  }

  return (
    <div class="columns">
      <Card title={words.test.title}>
        <Form form={form} send={send} action={words.test.send}>
          <p class="soft small">
            {value.method === 'GET' ? words.test.hint : words.test.changes(value.method)}
          </p>
          {rows.map((row) => (
            <InputControl
              key={row.name}
              row={row}
              words={words}
              value={typed.value[row.name] ?? ''}
              error={form.errorUnder(`/inputs/${row.name}`)}
              onType={(text) => (typed.value = { ...typed.value, [row.name]: text })}
            />
          ))}
          <PlainField
            label={`${words.test.visitor} (${common.value.optional})`}
            hint={words.test.visitorHint}
            value={visitor.value}
            onInput={(text) => (visitor.value = text)}
          />
          {form.errorOf('/inputs') && <p class="form-error">{form.errorOf('/inputs')}</p>}
          {form.isBusy.value && <p role="status">{words.test.waiting}</p>}
        </Form>
      </Card>
      {outcome.value && <Outcome outcome={outcome.value} words={words} />}
    </div>
  )
}

function InputControl({
  row,
  words,
  value,
  error,
  onType,
}: {
  row: InputRow
  words: Words
  value: string
  error: string | undefined
  onType: (value: string) => void
}): VNode {
  const { words: common } = useApp()
  const name = row.title || row.name
  const label = row.isRequired ? name : `${name} (${common.value.optional})`
  if (row.kind === 'boolean') {
    return (
      <PlainCheck
        label={label}
        value={value === 'true'}
        onPick={(isOn) => onType(isOn ? 'true' : 'false')}
      />
    )
  }
  if (row.kind === 'choice') {
    const choices = choicesOf(row.choices)
    return (
      <PlainSelect
        label={label}
        value={value}
        error={error}
        options={[
          { value: '', label: words.test.choose },
          ...choices.map((choice) => ({ value: choice, label: choice })),
        ]}
        onPick={onType}
      />
    )
  }
  return (
    <PlainField
      label={label}
      type={row.kind === 'string' ? 'text' : 'number'}
      value={value}
      error={error}
      onInput={onType}
    />
  )
}

/** Returns the inputs as they are sent; empty ones are left out. */
function inputsOf(rows: readonly InputRow[], typed: Record<string, string>): ActionInputs {
  const inputs: ActionInputs = {}
  for (const { name, kind } of rows) {
    const text = typed[name] ?? ''
    if (text === '') continue
    if (kind === 'boolean') inputs[name] = text === 'true'
    else inputs[name] = kind === 'integer' || kind === 'number' ? Number(text) : text
  }
  return inputs
}

function Outcome({ outcome, words }: { outcome: ActionTest; words: Words }): VNode {
  const { language } = useApp()
  const { request, attempts, said, error } = outcome
  const text = said[language.value]
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  const sent = [`${request.method} ${request.url}`, ...headers]
  return (
    <Card title={words.test.outcome} actions={<CallState state={outcome.state} words={words} />}>
      <div class="stack" role="status">
        {text !== undefined && (
          <div class="stack tight">
            <h3>{words.test.said}</h3>
            <blockquote class="said" dir="auto">
              {text}
            </blockquote>
          </div>
        )}
        {error !== null && <p>{callError(error, words)}</p>}
        <div class="stack tight">
          <h3>{words.attempts.answer}</h3>
          <AttemptList attempts={attempts} words={words.attempts} />
        </div>
        <details>
          <summary>{words.test.request}</summary>
          <CopyBox
            text={[...sent, ...(request.body === null ? [] : ['', request.body])].join('\n')}
            label={words.test.request}
          />
        </details>
      </div>
    </Card>
  )
}
