import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/prompts.ts'
import { Field } from '../../ui/field.tsx'
import type { InputField } from './inputs.ts'

/** The control of one input, by its kind. */
export function InputControl({
  field,
  words,
  value,
  error,
  onType,
}: {
  field: InputField
  words: Words
  value: string
  error: string | undefined
  onType: (value: string) => void
}): VNode {
  const { words: common } = useApp()
  const { kind, title, isRequired } = field
  const label = isRequired ? title : `${title} (${common.value.optional})`
  const more = kind === 'list' ? words.listHint : kind === 'json' ? words.jsonHint : ''
  const hint = [field.hint, more].filter(Boolean).join(' ')
  if (kind === 'check') {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => onType(String(event.currentTarget.checked))}
        />
        {title}
      </label>
    )
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => {
        if (kind === 'choice') {
          return (
            <select
              class="input"
              {...control}
              value={value}
              onChange={(event) => onType(event.currentTarget.value)}
            >
              {!(isRequired && value !== '') && <option value="">–</option>}
              {field.options.map((option) => (
                <option key={option} value={option}>
                  {option}
                </option>
              ))}
            </select>
          )
        }
        if (kind === 'line' || kind === 'number') {
          // JSX types each kind of field separately.
          const type: object = { type: kind === 'number' ? 'number' : 'text' }
          return (
            <input
              class="input"
              {...control}
              {...type}
              required={isRequired}
              value={value}
              onInput={(event) => onType(event.currentTarget.value)}
            />
          )
        }
        return (
          <textarea
            class={kind === 'json' ? 'input mono' : 'input'}
            {...control}
            dir="auto"
            required={isRequired}
            value={value}
            onInput={(event) => onType(event.currentTarget.value)}
          />
        )
      }}
    </Field>
  )
}
