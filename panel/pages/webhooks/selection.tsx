import { useSignal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/webhooks.ts'
import { Button } from '../../ui/button.tsx'

type Selection = Signal<ReadonlySet<string>>

export function useSelection(): Selection {
  return useSignal<ReadonlySet<string>>(new Set())
}

/** The box before a row that can be sent again. */
export function SelectBox({
  selection,
  id,
  label,
}: {
  selection: Selection
  id: string
  label: string
}): VNode {
  return (
    <input
      type="checkbox"
      class="select-box"
      aria-label={label}
      checked={selection.value.has(id)}
      onChange={(event) => {
        const next = new Set(selection.value)
        if (event.currentTarget.checked) next.add(id)
        else next.delete(id)
        selection.value = next
      }}
    />
  )
}

/** Sends the chosen rows again, one after the other, and says how many went out. */
export function SendSelected({
  selection,
  words,
  send,
  onSent,
}: {
  selection: Selection
  words: Words
  send: (id: string) => Promise<unknown>
  onSent: () => Promise<void>
}): VNode | null {
  const { format, toasts, explain } = useApp()
  const { number } = format.value
  const { size } = selection.value
  if (size === 0) return null

  async function sendAll(): Promise<void> {
    let count = 0
    const failed = new Set(selection.value)
    try {
      for (const id of selection.value) {
        // One at a time: a receiver that has just come back is not flooded.
        await send(id)
        failed.delete(id)
        count += 1
      }
    } catch (error) {
      toasts.failed(explain(error))
    }
    selection.value = failed
    if (count > 0) toasts.done(words.sentAgain(count, number(count)))
    await onSent()
  }

  return (
    <Button kind="primary" onPress={sendAll}>
      {words.sendSelected(size, number(size))}
    </Button>
  )
}
