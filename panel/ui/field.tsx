import type { Signal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  children: (control: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean
  }) => VNode
}

/** A labelled control with a hint, and an error that is read with it. */
export function Field({ label, hint, error, children }: FieldProps): VNode {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': Boolean(error) })}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span class="error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  )
}

type Shared = {
  label: string
  value: Signal<string>
  hint?: ComponentChildren
  error?: string | undefined
}

interface AreaAttributes {
  name?: string
  placeholder?: string
  required?: boolean
  disabled?: boolean
  readOnly?: boolean
  maxLength?: number
  rows?: number
  dir?: 'auto'
  onBlur?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
}

interface InputAttributes extends Omit<AreaAttributes, 'rows'> {
  type?:
    | 'text'
    | 'email'
    | 'password'
    | 'url'
    | 'tel'
    | 'number'
    | 'date'
    | 'time'
    | 'datetime-local'
    | 'search'
    | 'color'
  autocomplete?: string
  inputMode?: 'numeric' | 'decimal' | 'email' | 'tel' | 'url'
  min?: number | string
  max?: number | string
  step?: number | string
  list?: string
}

/** A field for one line of text. */
export function TextField({ label, value, hint, error, ...rest }: Shared & InputAttributes): VNode {
  // JSX types each kind of field separately.
  const attributes: object = rest
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          class={rest.type === 'color' ? 'input color' : 'input'}
          {...attributes}
          {...control}
          value={value.value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** A field for several lines, which grows with its text. */
export function AreaField({ label, value, hint, error, ...rest }: Shared & AreaAttributes): VNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          class="input"
          {...rest}
          {...control}
          value={value.value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export interface Option {
  value: string
  label: string
}

/** A choice of one from a short list. */
export function SelectField({
  label,
  value,
  hint,
  error,
  options,
  onPick,
}: Shared & { options: readonly Option[]; onPick?: (value: string) => void }): VNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select
          class="input"
          {...control}
          value={value.value}
          onChange={(event) => {
            value.value = event.currentTarget.value
            onPick?.(event.currentTarget.value)
          }}
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

/** A box to tick; `look="switch"` for what takes effect at once. */
export function CheckField({
  label,
  value,
  hint,
  look = 'box',
  onPick,
}: {
  label: ComponentChildren
  value: Signal<boolean>
  hint?: ComponentChildren
  look?: 'box' | 'switch'
  onPick?: (value: boolean) => void
}): VNode {
  return (
    <label class={look === 'switch' ? 'check switch' : 'check'}>
      <input
        type="checkbox"
        role={look === 'switch' ? 'switch' : undefined}
        checked={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.checked
          onPick?.(event.currentTarget.checked)
        }}
      />
      <span>
        {label}
        {hint && <span class="soft small"> {hint}</span>}
      </span>
    </label>
  )
}

/** A switch without words beside it, such as in a table; `label` names it. */
export function Switch({
  label,
  isOn,
  onTurn,
}: {
  label: string
  isOn: boolean
  onTurn: (isOn: boolean) => void
}): VNode {
  return (
    <span class="check switch">
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-checked={isOn}
        checked={isOn}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
    </span>
  )
}
