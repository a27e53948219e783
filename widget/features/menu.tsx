import { signal } from '../runtime/signals.ts'
import type { VNode } from 'preact'
import type { Handoff } from '../../server/chat/schema.ts'
import { Refusal } from '../chat/api.ts'
import type { Alert } from '../session/alerts.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import css from './menu.css?inline'
import { createConversationActions } from './conversation-actions.tsx'
import type { Continuity } from '../session/continuity.tsx'
import type { AppContext } from '../ui/app-context.ts'

interface Item {
  name: string
  /** Undefined where the item is not a switch. */
  isOn?: boolean
  run(): void
}

/** The menu of the head: people, forms, alerts, and the visitor's own data. Returns the toggle. */
export function start(
  app: AppContext,
  strings: LazyStrings,
  { alerts, forms, history }: Continuity,
): () => void {
  const { host, chat, ui } = app
  const { api, config, storage } = host
  const actions = createConversationActions(app, strings, { forms, history })
  const isOpen = signal(false)

  async function handOff(): Promise<void> {
    try {
      const session = await forms.openSession()
      const response = await api.post(`chatbot/sessions/${session}/handoff`, {})
      const answer: Handoff = await response.json()
      if (answer.message) history.merge(answer.message)
      chat.offer.value = answer.form ?? undefined
      chat.setState(answer.state)
      if (answer.state === 'waiting') ui.announce(strings.withPeople)
    } catch (refusal) {
      const isOffline = refusal instanceof Refusal && refusal.status === 0
      actions.note(isOffline ? strings.offline : strings.failed)
    }
  }

  async function toggle(alert: Alert): Promise<void> {
    if (!(await alerts.toggle(alert))) actions.note(strings.failed)
  }

  function items(): Item[][] {
    const state = chat.state.value
    const hasSession = storage.get('session') !== undefined
    // A conversation with people goes on; so does an answer.
    const isOver = (state === 'bot' || state === 'closed') && !chat.isBusy()
    const people: (Item | false)[] = [
      state === 'bot' &&
        config?.handoff !== 'off' && {
          name: strings.handoff,
          run() {
            ui.focusInput()
            void handOff()
          },
        },
      config?.forms.appointment.enabled === true && {
        name: strings.bookOpen,
        run: () => chat.openForm('appointment'),
      },
      config?.forms.lead.enabled === true && {
        name: strings.contactOpen,
        run: () => chat.openForm('lead'),
      },
    ]
    const conversation: (Item | false)[] = [
      hasSession &&
        isOver && {
          name: strings.newChat,
          run() {
            chat.forget()
            ui.focusInput()
          },
        },
      storage.get('token') !== undefined &&
        isOver && { name: strings.past, run: () => actions.open('past') },
      hasSession && { name: strings.transcript, run: () => actions.open('transcript') },
      hasSession && { name: strings.data, run: () => actions.open('data') },
    ]
    const switches: (Item | false)[] = [
      {
        name: strings.sound,
        isOn: alerts.wanted.value.includes('sound'),
        run: () => void toggle('sound'),
      },
      alerts.hasDesktop && {
        name: strings.alerts,
        isOn: alerts.wanted.value.includes('desktop'),
        run: () => void toggle('desktop'),
      },
      { name: strings.counted, isOn: alerts.isCounted(), run: alerts.flipCounted },
    ]
    return [people, conversation, switches]
      .map((group) => group.filter((item) => item !== false))
      .filter((group) => group.length > 0)
  }

  const button = (): HTMLElement | null => host.root.querySelector('.more')

  function close(): void {
    isOpen.value = false
    ui.addSlots({ menu: undefined })
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { currentTarget, key } = event
    if (!(currentTarget instanceof HTMLElement)) return
    const all = [...currentTarget.querySelectorAll<HTMLElement>('button')]
    const at = all.findIndex((each) => each === host.root.activeElement)
    const next =
      key === 'ArrowDown'
        ? at + 1
        : key === 'ArrowUp'
          ? at - 1
          : key === 'Home'
            ? 0
            : key === 'End'
              ? -1
              : undefined
    if (next !== undefined) {
      event.preventDefault()
      all.at(next % all.length)?.focus()
    } else if (key === 'Escape' || key === 'Tab') {
      event.stopPropagation()
      event.preventDefault()
      close()
      button()?.focus()
    }
  }

  // Always the same function: a new one would take the focus with every drawing.
  const take = (menu: HTMLElement | null): void => menu?.querySelector('button')?.focus()
  const draw = (): VNode => (
    <div
      class="menu"
      role="menu"
      tabIndex={-1}
      aria-label={ui.strings.menu}
      ref={take}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        const { relatedTarget, currentTarget } = event
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isInside && relatedTarget !== button()) close()
      }}
    >
      {items().map((group) => (
        <div key={group[0]?.name} role="group">
          {group.map(({ name, isOn, run }) => (
            <button
              key={name}
              type="button"
              role={isOn === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked={isOn}
              tabIndex={-1}
              onClick={() => {
                run()
                if (isOn !== undefined) return
                close()
                if (host.root.activeElement === null) button()?.focus()
              }}
            >
              <span>{name}</span>
              {isOn !== undefined && <i class={isOn ? 'on' : ''} />}
            </button>
          ))}
        </div>
      ))}
    </div>
  )

  ui.addStyles(css)
  return () => {
    if (isOpen.peek()) return close()
    isOpen.value = true
    ui.addSlots({ menu: draw })
  }
}
