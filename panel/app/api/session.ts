import { signal, type ReadonlySignal } from '@preact/signals'
import type { z } from 'zod'
import type { Me as MeSchema } from '../../../server/workspaces/schema.ts'
import { ApiError, createApi, type Api } from './api.ts'
import { endPush } from '../alerts/push.ts'

export type Me = z.infer<typeof MeSchema>

/** Access tokens last 15 minutes; the cookie is renewed well before. */
const RENEW_AFTER_MS = 11 * 60_000
const RENEWED_AT = 'sohbet.renewed-at'
const CHANNEL = 'sohbet.session'

/** The signed-in person. `undefined` while unknown, `null` when signed out. */
export interface Session {
  readonly me: ReadonlySignal<Me | null | undefined>
  readonly api: Api
  /** Reads `auth/me` again, for example after credits were spent. */
  refresh(): Promise<void>
  /** Takes the answer of a login. */
  enter(me: Me): void
  /** Ends the session here and in the other tabs. */
  signOut(): Promise<void>
}

/** Opens the session of the browser's cookies and keeps it renewed while the page is open. */
export function openSession(): Session {
  const me = signal<Me | null | undefined>(undefined)
  const channel = new BroadcastChannel(CHANNEL)
  const api = createApi(renew)

  /**
   * Renews the cookies. A refresh token is good once, so one tab renews for all: a lock orders the
   * tabs, and the time of the last renewal tells the others that it is done.
   */
  async function renew(): Promise<boolean> {
    return navigator.locks.request('sohbet.renew', async () => {
      const renewedAt = Number(localStorage.getItem(RENEWED_AT))
      if (Date.now() - renewedAt < 5_000) return true
      const response = await fetch('/api/v1/auth/refresh', { method: 'POST' }).catch(() => null)
      if (response?.ok) {
        localStorage.setItem(RENEWED_AT, String(Date.now()))
        return true
      }
      if (response?.status === 401) leave()
      return false
    })
  }

  function leave(): void {
    if (me.value) channel.postMessage('signed-out')
    me.value = null
  }

  async function refresh(): Promise<void> {
    try {
      me.value = await api.get<Me>('auth/me')
    } catch (error) {
      if (error instanceof ApiError && error.status === 401 && (await renew())) {
        me.value = await api.get<Me>('auth/me').catch(() => null)
      } else if (error instanceof ApiError && error.status === 401) me.value = null
      else throw error
    }
  }

  channel.addEventListener('message', ({ data }) => {
    if (data === 'signed-out') me.value = null
    if (data === 'signed-in' && !me.value) void refresh()
  })
  const renewWhenDue = (): void => {
    const age = Date.now() - Number(localStorage.getItem(RENEWED_AT))
    if (me.value && age > RENEW_AFTER_MS) void renew()
  }
  setInterval(renewWhenDue, 30_000)
  // Timers stand still while a laptop sleeps.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') renewWhenDue()
  })

  return {
    me,
    api,
    refresh,
    enter(entered) {
      localStorage.setItem(RENEWED_AT, String(Date.now()))
      me.value = entered
      channel.postMessage('signed-in')
    },
    async signOut() {
      // The next person in this browser must not receive this person's push messages.
      await endPush(api).catch(() => undefined)
      await api.post('auth/logout').catch(() => undefined)
      leave()
    },
  }
}
