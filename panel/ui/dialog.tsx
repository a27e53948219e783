import type { ComponentChildren, VNode } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Toaster } from '../app/alerts/toaster.tsx'
import { useApp } from '../app/app-context.ts'
import { Button } from './button.tsx'

/** A modal dialog. Escape and the cross call `onClose`; the focus returns to where it was. */
export function Dialog({
  title,
  wide,
  onClose,
  children,
}: {
  title: string
  wide?: boolean
  onClose: () => void
  children: ComponentChildren
}): VNode {
  const { words } = useApp()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isLeaving = useRef(false)
  // In the task that draws it: what was pressed is covered, and the focus moved, before the next key.
  useLayoutEffect(() => {
    const { current: shown } = dialog
    shown?.showModal()
    return () => {
      // A dialog that is removed while it is open gives the focus back to nobody.
      isLeaving.current = true
      shown?.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        if (!isLeaving.current) onClose()
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="plain" small icon="close" label={words.value.close} onPress={onClose} />
      </div>
      <div class="dialog-body">{children}</div>
      {/* What is outside a modal dialog lies under it, and neither pointer nor screen reader gets there. */}
      <Toaster />
    </dialog>
  )
}

/** Asks before what cannot be undone; `action` names what happens. */
export function Confirm({
  title,
  children,
  action,
  dismiss,
  onConfirm,
  onClose,
}: {
  title: string
  children: ComponentChildren
  action: string
  /** Instead of “Cancel”, where that is what the action does. */
  dismiss?: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}): VNode {
  const { words, explain, toasts } = useApp()
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="dialog-actions">
        <Button onPress={onClose}>{dismiss ?? words.value.cancel}</Button>
        <Button
          kind="primary"
          danger
          onPress={async () => {
            try {
              await onConfirm()
              onClose()
            } catch (error) {
              toasts.failed(explain(error))
            }
          }}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
