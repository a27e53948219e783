import {
  useComputed,
  useSignal,
  useSignalEffect,
  type ReadonlySignal,
  type Signal,
} from '@preact/signals'
import { useMemo } from 'preact/hooks'

const PREFIX = 'sohbet.draft.'

interface StoredDraft<Draft> {
  draft: Signal<Draft>
  /** Whether something was typed that is not saved. */
  isChanged: ReadonlySignal<boolean>
  /** Call it when the draft was saved. */
  forget(): void
  /** Goes back to what is saved. */
  discard(): void
}

/**
 * Keeps what is typed in the browser until `forget`, so that it survives a reload. `clean` takes out
 * what must not be stored.
 */
export function useStoredDraft<Draft extends object>(
  name: string,
  initial: () => Draft,
  clean: (draft: Draft) => Draft = (draft) => draft,
): StoredDraft<Draft> {
  const key = PREFIX + name
  const saved = useMemo(initial, [key])
  const stored = useMemo(() => storedIn(key), [key])
  const draft = useSignal<Draft>(stored ? { ...saved, ...stored } : saved)
  const isChanged = useComputed(() => draft.value !== saved)
  useSignalEffect(() => {
    if (isChanged.value) localStorage.setItem(key, JSON.stringify(clean(draft.value)))
  })
  const forget = (): void => localStorage.removeItem(key)
  return {
    draft,
    isChanged,
    forget,
    discard() {
      draft.value = saved
      forget()
    },
  }
}

function storedIn(key: string): object | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return typeof stored === 'object' && stored !== null ? stored : undefined
  } catch {
    return undefined
  }
}
