import { effect, useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'

const PREFIX = 'sohbet.draft.'

/** A text that survives a reload until it is the saved one again, which is `''` for what is sent. */
export function useStoredText(name: string, saved = ''): Signal<string> {
  const key = PREFIX + name
  const text = useSignal(localStorage.getItem(key) ?? saved)
  useEveryChange(() => {
    if (text.value === saved) localStorage.removeItem(key)
    else localStorage.setItem(key, text.value)
  }, [saved, key])
  return text
}

/** Drops a text whose form is left once it is sent. */
export function forgetText(name: string): void {
  localStorage.removeItem(PREFIX + name)
}

/** The texts by their keys that `storeTexts` kept under the name. */
export function storedTexts(name: string): [key: string, text: string][] {
  return Object.entries<unknown>({ ...storedIn(PREFIX + name) }).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text]] : [],
  )
}

/** Keeps texts over a reload until there are none. */
export function storeTexts(name: string, texts: readonly (readonly [string, string])[]): void {
  if (texts.length === 0) localStorage.removeItem(PREFIX + name)
  else localStorage.setItem(PREFIX + name, JSON.stringify(Object.fromEntries(texts)))
}

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
 * Keeps a draft in the browser until `forget`, so that it survives a reload. `clean` removes secrets before
 * the draft is stored.
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
  useEveryChange(() => {
    if (isChanged.value) localStorage.setItem(key, JSON.stringify(clean(draft.value)))
  }, [key])
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

/** Unlike the effects of components, not put off until the page is drawn: it may be left before that. */
function useEveryChange(store: () => void, inputs: unknown[]): void {
  useLayoutEffect(() => effect(store), inputs)
}

function storedIn(key: string): object | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return typeof stored === 'object' && stored !== null ? stored : undefined
  } catch {
    return undefined
  }
}
