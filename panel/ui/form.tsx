import { useSignal, type ReadonlySignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { ApiError } from '../app/api/api.ts'
import { useApp } from '../app/app-context.ts'
import { explainFields } from '../app/api/field-errors.ts'

export interface FormState {
  /** The sentence above the button; empty without an error. */
  readonly error: ReadonlySignal<string>
  readonly isBusy: ReadonlySignal<boolean>
  /** The error of a field, by the JSON Pointer of the request's body, such as `/email`. */
  errorOf(path: string): string | undefined
  /** The first error of a field or of what is below it, such as of a list's entries. */
  errorUnder(path: string): string | undefined
  /** Runs once at a time; keeps what was typed when it fails. Returns whether it succeeded. */
  submit(send: () => Promise<unknown>): Promise<boolean>
}

/**
 * The state of a form that sends a request: busy, the error, and the errors of its fields. `explain`
 * returns the sentence for a message of the API that only this form meets.
 */
export function useForm(explain?: (message: string) => string | undefined): FormState {
  const app = useApp()
  const error = useSignal('')
  const isBusy = useSignal(false)
  const fields = useSignal<Record<string, string>>({})
  return {
    error,
    isBusy,
    errorOf: (path) => fields.value[path],
    errorUnder: (path) =>
      Object.entries(fields.value).find(([at]) => at === path || at.startsWith(`${path}/`))?.[1],
    async submit(send) {
      if (isBusy.value) return false
      isBusy.value = true
      error.value = ''
      fields.value = {}
      try {
        await send()
        return true
      } catch (failure) {
        if (failure instanceof ApiError) {
          const own = failure.fields.flatMap(({ path, message }) => {
            const text = explain?.(message)
            return text === undefined ? [] : [[path, text] as const]
          })
          fields.value = {
            ...explainFields(failure.fields, app.words.value.fieldErrors),
            ...Object.fromEntries(own),
          }
        }
        error.value = app.explain(failure)
        return false
      } finally {
        isBusy.value = false
      }
    },
  }
}

/** A form with its error and its button; Enter submits it. */
export function Form({
  form,
  send,
  done,
  action,
  children,
  extra,
  danger,
}: {
  form: FormState
  send: () => Promise<unknown>
  /** Runs after a success. */
  done?: () => unknown
  action: string
  children: ComponentChildren
  /** Beside the button. */
  extra?: ComponentChildren
  danger?: boolean
}): VNode {
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit(send).then((isDone) => isDone && done?.())
      }}
    >
      {children}
      {form.error.value && (
        <p class="form-error" role="alert">
          {form.error.value}
        </p>
      )}
      <div class="row">
        <button
          class={danger ? 'button primary danger' : 'button primary'}
          aria-disabled={form.isBusy.value ? 'true' : undefined}
          aria-busy={form.isBusy.value}
        >
          {action}
        </button>
        {extra}
      </div>
    </form>
  )
}
