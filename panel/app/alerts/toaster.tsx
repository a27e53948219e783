import type { VNode } from 'preact'
import { Button } from '../../ui/button.tsx'
import { useApp } from '../app-context.ts'

/** The notices of `toasts`, read out by screen readers. */
export function Toaster(): VNode {
  const { toasts, words } = useApp()
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.shown.value.map((toast) => (
        <div key={toast.id} class={`toast ${toast.kind}`}>
          <p>{toast.text}</p>
          {toast.undo && (
            <Button
              small
              onPress={() => {
                toast.undo?.()
                toasts.close(toast.id)
              }}
            >
              {words.value.undo}
            </Button>
          )}
          <Button
            small
            icon="close"
            label={words.value.close}
            onPress={() => toasts.close(toast.id)}
          />
        </div>
      ))}
    </div>
  )
}
