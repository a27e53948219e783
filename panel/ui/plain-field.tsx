import type { VNode } from 'preact'
import { Field, type Option } from './field.tsx'

interface Shared {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: string
}

/** A field of one line whose value lives in the draft of the whole form. */
export function PlainField({
  label,
  hint,
  error,
  value,
  onInput,
  ...rest
}: Shared & {
  onInput: (value: string) => void
  type?: 'text' | 'url' | 'number' | 'color'
  min?: number
  max?: number
  placeholder?: string
  dir?: 'auto'
}): VNode {
  // JSX types each kind of field separately.
  const attributes: object = rest
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          class={rest.type === 'color' ? 'input color' : 'input'}
          {...attributes}
          {...control}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function PlainArea({
  label,
  hint,
  error,
  value,
  placeholder,
  onInput,
}: Shared & { placeholder?: string | undefined; onInput: (value: string) => void }): VNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          class="input"
          dir="auto"
          placeholder={placeholder}
          {...control}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function PlainSelect({
  label,
  hint,
  error,
  value,
  options,
  onPick,
}: Shared & { options: readonly Option[]; onPick: (value: string) => void }): VNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select
          class="input"
          {...control}
          value={value}
          onChange={(event) => onPick(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function PlainCheck({
  label,
  hint,
  value,
  onPick,
}: {
  label: string
  hint?: string
  value: boolean
  onPick: (value: boolean) => void
}): VNode {
  return (
    <label class="check switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={value}
        checked={value}
        onChange={(event) => onPick(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint && <span class="soft small"> {hint}</span>}
      </span>
    </label>
  )
}
