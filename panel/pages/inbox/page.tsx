import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import type { Words } from '../../locales/en/inbox.ts'
import { Empty } from '../../ui/page.tsx'
import { useConversations } from './list/conversations.ts'
import { readFilter } from './list/filter.ts'
import { hasKeys, isTakenBy } from '../../app/frame/keys-help.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { ListPane } from './list/list-pane.tsx'
import { ThreadPane, type ThreadCommand } from './thread/thread-pane.tsx'
import './inbox.css'
import './thread/thread.css'

const COMMANDS: Readonly<Record<string, ThreadCommand>> = {
  r: 'reply',
  n: 'note',
  c: 'claim',
  a: 'assign',
  s: 'snooze',
  e: 'close',
}
const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** Conversations in three columns; on a phone one after the other. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const { live, router } = useApp()
  const { id } = params
  const filter = readFilter(router.query.value)
  const list = useConversations(filter)
  const showsKeys = useSignal(false)
  const search = useRef<HTMLInputElement>(null)
  const run = useRef<(command: ThreadCommand) => void>(undefined)
  const query = router.query.value.toString()
  const suffix = query === '' ? '' : `?${query}`

  useEffect(() => {
    document.title = `${words.title} · Sohbet`
  }, [words])

  // An erased conversation leaves the screen.
  useEffect(
    () =>
      live.follow((event) => {
        if (event.name === 'removed' && event.data.session_id === id) {
          router.go(`/inbox${suffix}`, { replace: true })
        }
      }),
    [id, suffix],
  )

  function move(step: number): void {
    const rows = list.rows.value ?? []
    const at = rows.findIndex(({ session_id: each }) => each === id)
    const next = rows[at < 0 ? 0 : at + step]
    if (next) router.go(`/inbox/${next.session_id}${suffix}`)
  }

  function press(event: KeyboardEvent): void {
    if (!hasKeys.value || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.defaultPrevented || isTakenBy(event.target)) return
    const step = STEPS[event.key]
    const command = COMMANDS[event.key]
    if (step !== undefined) move(step)
    else if (command) run.current?.(command)
    else if (event.key === '/') search.current?.focus()
    else if (event.key === '?') showsKeys.value = true
    else if (event.key === 'u') router.go(`/inbox${suffix}`)
    else return
    event.preventDefault()
  }

  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })

  return (
    <div class={id === undefined ? 'inbox' : 'inbox has-thread'}>
      <h1 class="visually-hidden">{words.title}</h1>
      <ListPane
        words={words}
        filter={filter}
        list={list}
        selected={id}
        search={search}
        onKeys={() => (showsKeys.value = true)}
      />
      {id === undefined ? (
        <section class="thread" aria-label={words.thread}>
          <Empty icon="widget" title={words.choose}>
            {words.chooseHint}
          </Empty>
        </section>
      ) : (
        <ThreadPane
          key={id}
          id={id}
          words={words}
          search={suffix}
          onChange={list.put}
          onBack={() => router.go(`/inbox${suffix}`)}
          onCommands={(next) => (run.current = next)}
        />
      )}
      {showsKeys.value && <KeysDialog words={words} onClose={() => (showsKeys.value = false)} />}
    </div>
  )
}
