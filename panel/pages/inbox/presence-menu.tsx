import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/inbox.ts'
import { Menu } from '../../ui/menu.tsx'

const STATES = ['online', 'away', 'off'] as const
type PresenceState = (typeof STATES)[number]
const TONES = { online: 'good', away: 'warn', off: '' } as const
const STORED = 'sohbet.presence'

/** Shows and changes whether the person takes conversations; opening the inbox says it again. */
export function PresenceMenu({ words }: { words: Words }): VNode | null {
  const { api, toasts } = useApp()
  const state = useSignal<PresenceState | undefined>(undefined)

  async function set(next: PresenceState): Promise<void> {
    await api.put('presence', { state: next })
    localStorage.setItem(STORED, next)
    state.value = next
  }

  useEffect(() => {
    const chosen = STATES.find((each) => each === localStorage.getItem(STORED)) ?? 'online'
    const say = (): void => {
      void set(state.value ?? chosen).catch(() => undefined)
    }
    // A presence lapses while a laptop sleeps.
    const wake = (): void => {
      if (document.visibilityState === 'visible') say()
    }
    say()
    document.addEventListener('visibilitychange', wake)
    return () => document.removeEventListener('visibilitychange', wake)
  }, [])

  if (state.value === undefined) return null
  const shown = state.value
  return (
    <Menu
      label={words.presence.label(words.presence[shown])}
      class="button plain small"
      items={STATES.map((each) => ({
        label: words.presence[each],
        onPick: () => {
          void set(each).catch(() => toasts.failed(words.presence.failed))
        },
      }))}
    >
      <span class={`dot ${TONES[shown]}`} />
      <span class="visually-hidden">{words.presence.label('')}</span>
      {words.presence[shown]}
    </Menu>
  )
}
