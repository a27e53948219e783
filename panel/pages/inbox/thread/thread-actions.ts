import type { PanelApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import type { Thread } from './thread.ts'

const HOUR_MS = 3_600_000
const MORNING_HOUR = 9

export interface ThreadActions {
  claim(): Promise<void>
  close(): Promise<void>
  release(to: 'bot' | 'waiting'): Promise<void>
  reopen(): Promise<void>
  assign(person: { user_id: string; name: string } | null): Promise<void>
  snooze(until: Date | null): Promise<void>
  erase(): Promise<void>
}

/** An operator's actions on a conversation; each shows its result, with undo where possible. */
export function createThreadActions(app: PanelApp, thread: Thread, words: Words): ThreadActions {
  const { api, toasts, explain, format } = app

  async function attempt(act: () => Promise<void>, text?: string, undo?: () => void) {
    try {
      await act()
      if (text !== undefined) toasts.done(text, undo)
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  const actions: ThreadActions = {
    claim: () => attempt(() => thread.act('claim')),
    close() {
      const wasMine = thread.head.value?.state === 'operator'
      return attempt(
        () => thread.act('close'),
        words.closeDone,
        () =>
          void attempt(async () => {
            await thread.act('release', { to: 'waiting' })
            if (wasMine) await thread.act('claim')
          }),
      )
    },
    release: (to) => attempt(() => thread.act('release', { to }), words.released[to]),
    reopen: () => attempt(() => thread.act('release', { to: 'waiting' }), words.reopened),
    assign(person) {
      const before = thread.head.value?.assignee?.user_id ?? null
      return attempt(
        () => thread.act('assign', { user_id: person?.user_id ?? null }),
        person ? words.assigned(person.name) : words.released.waiting,
        () => void attempt(() => thread.act('assign', { user_id: before })),
      )
    },
    snooze(until) {
      if (until === null) return attempt(() => thread.change({ snoozed_until: null }))
      return attempt(
        () => thread.change({ snoozed_until: until.toISOString() }),
        words.snoozedUntil(format.value.dateTime(until)),
        () => void actions.snooze(null),
      )
    },
    erase: async () => {
      await api.delete(`chatbot/sessions/${encodeURIComponent(thread.id)}`)
      toasts.done(words.erased)
    },
  }
  return actions
}

/** Returns the times that a conversation can be snoozed to, on the reader's clock. */
export function snoozeTimes(now = new Date()): Record<keyof Words['snoozeFor'], Date> {
  const morning = (days: number): Date =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR)
  return {
    hour: new Date(now.getTime() + HOUR_MS),
    later: new Date(now.getTime() + 4 * HOUR_MS),
    tomorrow: morning(1),
    week: morning(((7 - now.getDay()) % 7) + 1),
  }
}
