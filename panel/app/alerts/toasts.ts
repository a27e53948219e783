import { signal, type ReadonlySignal } from '@preact/signals'

const SHOWN_MS = 6_000

export interface Toast {
  id: number
  kind: 'done' | 'failed'
  text: string
  undo: (() => void) | undefined
}

/** Short notices at the edge of the page. */
export interface Toasts {
  readonly shown: ReadonlySignal<Toast[]>
  done(text: string, undo?: () => void): void
  failed(text: string): void
  close(id: number): void
}

export function createToasts(): Toasts {
  const shown = signal<Toast[]>([])
  let last = 0

  function close(id: number): void {
    shown.value = shown.value.filter((toast) => toast.id !== id)
  }

  function show(kind: Toast['kind'], text: string, undo?: () => void): void {
    last += 1
    const id = last
    shown.value = [...shown.value.slice(-3), { id, kind, text, undo }]
    // A failure stays until it is closed: it says what to do.
    if (kind === 'done') setTimeout(() => close(id), SHOWN_MS)
  }

  return {
    shown,
    done: (text, undo) => show('done', text, undo),
    failed: (text) => show('failed', text),
    close,
  }
}
