import { useComputed, useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { Found } from '../../../server/overview/schema.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useApp } from '../app-context.ts'
import { addressOf, maySee, PAGES, type PageEntry } from '../pages.ts'
import type { Me } from '../api/session.ts'

const ASK_AFTER_MS = 150

interface Item {
  id: string
  title: string
  detail: string
  /** Below `/panel`. */
  path: string
  icon: IconName
}

const ICONS: Readonly<Record<Found['kind'], IconName>> = {
  site: 'widget',
  person: 'team',
  lead: 'lead',
  document: 'book',
  conversation: 'inbox',
}

/** Finds pages, sites, people and conversations by the keyboard. */
export function CommandPalette({
  me,
  onPick,
  onClose,
}: {
  me: Me
  onPick: (path: string) => void
  onClose: () => void
}): VNode {
  const { api, words, language } = useApp()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const text = useSignal('')
  const found = useSignal<Item[]>([])
  const chosen = useSignal(0)
  const isAsking = useSignal(false)

  const pages = useComputed(() => {
    const wanted = text.value.toLocaleLowerCase(language.value)
    const titles: Record<string, string> = words.value.pages
    return PAGES.filter((entry: PageEntry) => entry.access === 'member' && maySee(entry, me))
      .map((entry: PageEntry): Item => ({
        id: entry.name,
        title: titles[entry.name] ?? '',
        detail: '',
        path: addressOf(entry),
        icon: entry.icon ?? 'right',
      }))
      .filter(({ title }) => title.toLocaleLowerCase(language.value).includes(wanted))
  })
  const all = useComputed(() => [...pages.value, ...found.value])

  useLayoutEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    chosen.value = 0
    const wanted = text.value.trim()
    isAsking.value = wanted.length >= 2
    if (!isAsking.value) {
      found.value = []
      return
    }
    const asked = new AbortController()
    const timer = setTimeout(() => {
      api
        .get<{ data: Found[] }>('find', { q: wanted }, asked.signal)
        .then(({ data }) => {
          found.value = data.map((row) => ({ ...row, icon: ICONS[row.kind] }))
        })
        .catch(() => undefined)
        .finally(() => {
          if (!asked.signal.aborted) isAsking.value = false
        })
    }, ASK_AFTER_MS)
    return () => {
      clearTimeout(timer)
      asked.abort()
    }
  }, [text.value])

  // The focus stays in the field, so that nothing else scrolls the chosen row into view.
  useEffect(() => {
    document.getElementById(`${id}-${chosen.value}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen.value])

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      chosen.value = (chosen.value + step + all.value.length) % Math.max(1, all.value.length)
    }
    const item = all.value[chosen.value]
    if (event.key === 'Enter' && item) onPick(item.path)
  }

  return (
    <dialog ref={dialog} class="palette" aria-label={words.value.search} onClose={onClose}>
      <input
        class="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${chosen.value}`}
        aria-label={words.value.search}
        placeholder={words.value.searchHint}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={press}
      />
      <div id={id} class="options" role="listbox" aria-label={words.value.search}>
        {all.value.map((item, at) => (
          // The keyboard chooses from the field above, as in every combobox.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={item.id}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === chosen.value}
            onClick={() => onPick(item.path)}
          >
            <Icon name={item.icon} />
            <span class="title ellipsis">{item.title}</span>
            <span class="soft small ellipsis">{item.detail}</span>
          </div>
        ))}
        {all.value.length === 0 && (
          <div>{isAsking.value ? words.value.loading : words.value.nothingFound}</div>
        )}
      </div>
    </dialog>
  )
}
