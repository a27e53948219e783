import { useComputed, useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Empty, Failure, Skeleton } from '../../ui/page.tsx'
import { useApp } from '../app-context.ts'
import { PAGES, type LoadedPage, type PageEntry } from '../pages.ts'
import { BASE, matchPath } from '../router.ts'

export interface Match {
  entry: PageEntry
  params: Record<string, string>
}

/** Returns the page of a path with the parameters of the path. */
export function findPage(path: string): Match | undefined {
  for (const entry of PAGES) {
    const params = matchPath(entry.path, path)
    if (params) return { entry, params }
  }
  return undefined
}

/** Draws a page, whose code and words are loaded first. */
export function PageHost({ match }: { match: Match }): VNode {
  const app = useApp()
  const { entry, params } = match
  const key = `${entry.name} ${app.language.value}`
  const loaded = useSignal<{ key: string; page: LoadedPage } | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  const current = useComputed(() => loaded.value)

  useEffect(() => {
    let isCurrent = true
    error.value = undefined
    entry
      .load(app.language.value)
      .then((page) => {
        if (isCurrent) loaded.value = { key, page }
      })
      .catch((failure: unknown) => {
        if (isCurrent) error.value = failure
      })
    return () => {
      isCurrent = false
    }
  }, [key])

  if (error.value !== undefined)
    return <Failure error={error.value} retry={() => location.reload()} />
  if (current.value?.key !== key) return <Skeleton />
  const { page: LoadedPage } = current.value
  return <LoadedPage key={entry.name} params={params} />
}

export function NotFound(): VNode {
  const { words } = useApp()
  return (
    <Empty
      isPage
      icon="search"
      title={words.value.notFound}
      action={<Button href={BASE}>{words.value.goHome}</Button>}
    />
  )
}
