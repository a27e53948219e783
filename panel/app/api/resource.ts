import { useComputed, useSignal, type ReadonlySignal } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import type { Page } from './api.ts'

export interface Resource<Value> {
  /** `undefined` until the first answer; the previous answer while the next one loads. */
  readonly value: ReadonlySignal<Value | undefined>
  readonly error: ReadonlySignal<unknown>
  readonly isLoading: ReadonlySignal<boolean>
  reload(): Promise<void>
  /** Replaces the value here, for example with a change that is not saved yet. */
  set(value: Value): void
}

/**
 * Loads a value when the component appears and whenever `key` changes. A newer load aborts an older
 * one. An empty key loads nothing.
 */
export function useResource<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
): Resource<Value> {
  const value = useSignal<Value | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  const isLoading = useSignal(key !== '')
  const current = useRef<AbortController>(undefined)
  const loader = useRef(load)
  loader.current = load

  const reload = useCallback(async () => {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    isLoading.value = true
    try {
      const loaded = await loader.current(controller.signal)
      if (controller.signal.aborted) return
      value.value = loaded
      error.value = undefined
    } catch (failure) {
      if (!controller.signal.aborted) error.value = failure
    } finally {
      if (!controller.signal.aborted) isLoading.value = false
    }
  }, [])

  useEffect(() => {
    if (key !== '') void reload()
    return () => current.current?.abort()
  }, [key])

  const set = useCallback((next: Value) => {
    value.value = next
  }, [])
  return { value, error, isLoading, reload, set }
}

export interface List<Row> {
  readonly rows: ReadonlySignal<Row[] | undefined>
  readonly error: ReadonlySignal<unknown>
  readonly isLoading: ReadonlySignal<boolean>
  readonly hasMore: ReadonlySignal<boolean>
  more(): Promise<void>
  reload(): Promise<void>
  /** Changes the loaded rows here, for example to remove one at once. */
  change(change: (rows: Row[]) => Row[]): void
}

/** Loads a list page by page; `key` holds the filters, as in `useResource`. */
export function useList<Row>(
  key: string,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
): List<Row> {
  const first = useResource<Page<Row>>(key, (signal) => load(undefined, signal))
  const isLoadingMore = useSignal(false)
  const currentKey = useRef(key)
  currentKey.current = key
  const rows = useComputed(() => first.value.value?.data)
  const hasMore = useComputed(() => typeof first.value.value?.next_cursor === 'string')
  const isLoading = useComputed(() => first.isLoading.value || isLoadingMore.value)
  return {
    rows,
    error: first.error,
    isLoading,
    hasMore,
    reload: first.reload,
    async more() {
      const page = first.value.peek()
      if (!page?.next_cursor || isLoadingMore.peek()) return
      isLoadingMore.value = true
      try {
        const next = await load(page.next_cursor, new AbortController().signal)
        // The rows may have changed in the meantime, and the list may be another one.
        const now = first.value.peek()
        if (currentKey.current === key && now?.next_cursor === page.next_cursor) {
          first.set({ data: [...now.data, ...next.data], next_cursor: next.next_cursor })
        }
      } finally {
        isLoadingMore.value = false
      }
    },
    change(change) {
      const page = first.value.peek()
      if (page) first.set({ ...page, data: change(page.data) })
    },
  }
}
