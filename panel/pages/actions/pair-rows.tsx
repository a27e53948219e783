import type { VNode } from 'preact'
import { Button } from '../../ui/button.tsx'

interface Pair {
  first: string
  second: string
  /** Whether the first value stays as it is. */
  isFixed?: boolean
  placeholder?: string
  error?: string | undefined
}

/** Rows of a name and a value, which are added and removed. */
export function PairRows({
  title,
  hint,
  add,
  remove,
  labels,
  rows,
  isSecret = false,
  onChange,
  onAdd,
  onRemove,
}: {
  title: string
  hint: string
  add: string
  remove: (name: string) => string
  labels: readonly [string, string]
  rows: readonly Pair[]
  /** Whether the values are hidden while they are typed. */
  isSecret?: boolean
  onChange: (at: number, first: string, second: string) => void
  onAdd: () => void
  onRemove: (at: number) => void
}): VNode {
  // JSX types each kind of field separately.
  const secret: object = isSecret ? { type: 'password', autocomplete: 'new-password' } : {}
  return (
    <fieldset class="stack tight">
      <legend>{title}</legend>
      <p class="soft small">{hint}</p>
      {rows.map(({ first, second, isFixed, placeholder, error }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity
        <div key={at} class="pair-row">
          <input
            class="input"
            aria-label={labels[0]}
            placeholder={labels[0]}
            readOnly={isFixed}
            value={first}
            onInput={(event) => onChange(at, event.currentTarget.value, second)}
          />
          <input
            class="input"
            {...secret}
            aria-label={labels[1]}
            placeholder={placeholder || labels[1]}
            aria-invalid={error !== undefined}
            value={second}
            onInput={(event) => onChange(at, first, event.currentTarget.value)}
          />
          <Button kind="plain" icon="trash" label={remove(first)} onPress={() => onRemove(at)} />
          {error && <span class="wrong small">{error}</span>}
        </div>
      ))}
      <div>
        <Button small icon="plus" onPress={onAdd}>
          {add}
        </Button>
      </div>
    </fieldset>
  )
}
