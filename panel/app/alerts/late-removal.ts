import { signal } from '@preact/signals'
import type { PanelApp } from '../app-context.ts'

/** As long as the notice with “Undo” stays. */
const UNDO_MS = 6_000

/** The paths of what is deleted, or is about to be: lists leave it out. */
const leaving = signal<ReadonlySet<string>>(new Set())

/** Whether something is deleted here, though the server may still have it. */
export function isLeaving(path: string): boolean {
  return leaving.value.has(path)
}

function setLeaving(path: string, isGone: boolean): void {
  const others = [...leaving.peek()].filter((each) => each !== path)
  leaving.value = new Set(isGone ? [...others, path] : others)
}

/**
 * Hides something, and deletes it once the time to undo is over or the page is left. `onUndo` runs
 * when it was taken back.
 */
export function removeLater(
  { api, toasts, explain }: PanelApp,
  { path, text, onUndo }: { path: string; text: string; onUndo?: () => void },
): void {
  const isOver = new AbortController()
  const { signal: over } = isOver

  function remove(): void {
    if (over.aborted) return
    isOver.abort()
    api.delete(path).catch((error: unknown) => {
      setLeaving(path, false)
      toasts.failed(explain(error))
    })
  }

  setLeaving(path, true)
  setTimeout(remove, UNDO_MS)
  addEventListener('pagehide', remove, { signal: over })
  toasts.done(text, () => {
    if (over.aborted) return
    isOver.abort()
    setLeaving(path, false)
    onUndo?.()
  })
}
