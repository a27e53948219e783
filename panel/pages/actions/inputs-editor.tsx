import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import { Button } from '../../ui/button.tsx'
import { PlainArea, PlainCheck, PlainField, PlainSelect } from '../../ui/plain-field.tsx'
import type { Words } from '../../locales/en/actions.ts'
import type { FormState } from '../../ui/form.tsx'
import { AreaText } from './area-text.tsx'
import {
  emptyRow,
  INPUT_KINDS,
  isRecord,
  rowsFrom,
  schemaFrom,
  type InputRow,
} from './input-rows.ts'
import type { Draft } from './draft.ts'

const MAX_INPUTS = 10

/** Properties that the parts of the form share. */
export interface FormPart {
  value: Draft
  change: (patch: Partial<Draft>) => void
  form: FormState
  words: Words
}

/** The inputs of an action: as rows, or as the JSON Schema that they are. */
export function InputsEditor({ value, change, form, words }: FormPart): VNode {
  const { inputs, schemaRest } = value
  const json = useSignal<string | undefined>(undefined)
  const jsonError = useSignal('')
  const text = words.inputs

  function readJson(typed: string): void {
    json.value = typed
    jsonError.value = ''
    try {
      const schema: unknown = JSON.parse(typed)
      if (!isRecord(schema)) throw new SyntaxError('The schema is not an object.')
      const questions = Object.fromEntries(inputs.map(({ name, question }) => [name, question]))
      const { rows, rest } = rowsFrom(schema, questions)
      change({ inputs: rows, schemaRest: rest })
    } catch {
      jsonError.value = words.jsonWrong
    }
  }

  return (
    <div class="stack">
      <p class="soft small">{text.hint}</p>
      {json.value === undefined ? (
        <>
          {inputs.map((row, at) => (
            <InputFields
              // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity
              key={at}
              row={row}
              words={words}
              error={
                row.name === ''
                  ? undefined
                  : form.errorUnder(`/inputs_schema/properties/${row.name}`)
              }
              onChange={(patch) =>
                change({
                  inputs: inputs.map((each, index) =>
                    index === at ? { ...each, ...patch } : each,
                  ),
                })
              }
              onRemove={() => change({ inputs: inputs.toSpliced(at, 1) })}
            />
          ))}
          <div class="row between">
            <Button
              small
              icon="plus"
              disabled={inputs.length >= MAX_INPUTS}
              onPress={() => change({ inputs: [...inputs, emptyRow()] })}
            >
              {text.add}
            </Button>
            <Button
              small
              kind="plain"
              icon="code"
              onPress={() => {
                jsonError.value = ''
                json.value = JSON.stringify(schemaFrom(inputs, schemaRest), null, 2)
              }}
            >
              {text.asJson}
            </Button>
          </div>
        </>
      ) : (
        <>
          <PlainArea
            label="JSON Schema"
            hint={text.jsonHint}
            value={json.value}
            error={jsonError.value || undefined}
            onInput={readJson}
          />
          <div class="row">
            <Button
              small
              kind="plain"
              icon="left"
              disabled={jsonError.value !== ''}
              onPress={() => (json.value = undefined)}
            >
              {text.asRows}
            </Button>
          </div>
        </>
      )}
      {form.errorOf('/inputs_schema') && <p class="form-error">{form.errorOf('/inputs_schema')}</p>}
    </div>
  )
}

function InputFields({
  row,
  words,
  error,
  onChange,
  onRemove,
}: {
  row: InputRow
  words: Words
  error: string | undefined
  onChange: (patch: Partial<InputRow>) => void
  onRemove: () => void
}): VNode {
  const { words: common } = useApp()
  const text = words.inputs
  return (
    <fieldset class="input-row" aria-label={row.title || row.name || text.add}>
      <div class="grid">
        <PlainField
          label={text.name}
          placeholder="order_id"
          value={row.name}
          error={error}
          onInput={(name) => onChange({ name })}
        />
        <PlainField
          label={text.label}
          placeholder={text.labelExample}
          value={row.title}
          onInput={(title) => onChange({ title })}
        />
        <PlainSelect
          label={text.kind}
          value={row.kind}
          options={INPUT_KINDS.map((kind) => ({ value: kind, label: text.kinds[kind] }))}
          onPick={(picked) =>
            onChange({ kind: INPUT_KINDS.find((kind) => kind === picked) ?? 'string' })
          }
        />
      </div>
      {row.kind === 'choice' && (
        <PlainField
          label={text.choices}
          hint={text.choicesHint}
          value={row.choices}
          onInput={(choices) => onChange({ choices })}
        />
      )}
      <details>
        <summary class="small">{text.more}</summary>
        <div class="stack tight">
          {row.kind === 'string' && (
            <PlainField
              label={`${text.pattern} (${common.value.optional})`}
              hint={text.patternHint}
              placeholder="^[0-9]{4,8}$"
              value={row.pattern}
              onInput={(pattern) => onChange({ pattern })}
            />
          )}
          <AreaText
            label={`${text.question} (${common.value.optional})`}
            hint={text.questionHint}
            value={row.question}
            words={words}
            onInput={(question) => onChange({ question })}
          />
        </div>
      </details>
      <div class="row between">
        <PlainCheck
          label={text.required}
          value={row.isRequired}
          onPick={(isRequired) => onChange({ isRequired })}
        />
        <Button kind="plain" small icon="trash" onPress={onRemove}>
          {common.value.delete}
        </Button>
      </div>
    </fieldset>
  )
}
