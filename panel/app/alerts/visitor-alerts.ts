import { signal } from '@preact/signals'
import type { InboxSession } from '../../../server/inbox/schema.ts'
import type { Page } from '../api/api.ts'
import type { PanelApp } from '../app-context.ts'
import type { LiveEvent } from '../api/live.ts'
import { BASE } from '../router.ts'

const SOUND = 'sohbet.sound'
const DESKTOP = 'sohbet.desktop'
const LEADER = 'sohbet.alerts'
const TONES_HZ = [660, 880]
const TONE_SECONDS = 0.16

/** Whether the browser plays a tone and shows a notification; chosen for each browser. */
export const hasSound = signal(localStorage.getItem(SOUND) !== 'off')
export const hasDesktop = signal(isAllowed() && localStorage.getItem(DESKTOP) !== 'off')

let audio: AudioContext | undefined

/** Switches the tone and plays it once; the press lets the browser play later ones. */
export function chooseSound(isOn: boolean): void {
  localStorage.setItem(SOUND, isOn ? 'on' : 'off')
  hasSound.value = isOn
  if (isOn) void playTone()
}

/** Asks for the permission if it is missing; returns whether notifications are shown now. */
export async function chooseDesktop(isOn: boolean): Promise<boolean> {
  const isPermitted =
    isOn && 'Notification' in window && (await Notification.requestPermission()) === 'granted'
  localStorage.setItem(DESKTOP, isPermitted ? 'on' : 'off')
  hasDesktop.value = isPermitted
  return isPermitted
}

/**
 * Alerts to waiting visitors and to messages in one's own conversations, on every page of the
 * panel. Of several tabs one does it. Returns the function that ends it.
 */
export function startVisitorAlerts({ api, live, router, session, words }: PanelApp): () => void {
  const mine = new Set<string>()
  const me = session.me.value?.user.id
  const ended = new AbortController()
  let isLeader = false
  let known = Promise.resolve()
  const { promise: end, resolve: leave } = Promise.withResolvers<void>()
  navigator.locks
    .request(LEADER, { signal: ended.signal }, () => {
      isLeader = true
      return end
    })
    .catch(() => undefined)

  async function readMine(): Promise<void> {
    const query = { assignee: 'me', state: 'operator', limit: 100 }
    const page = await api.get<Page<InboxSession>>('inbox', query).catch(() => undefined)
    for (const row of page?.data ?? []) mine.add(row.session_id)
  }

  function alert(sessionId: string, title: string, body: string): void {
    const path = `/inbox/${sessionId}`
    if (!isLeader || (document.hasFocus() && router.path.value === path)) return
    if (hasSound.value) void playTone()
    if (hasDesktop.value && !document.hasFocus()) void notify(path, title, body)
  }

  async function notify(path: string, title: string, body: string): Promise<void> {
    // A push message about the same matter has the same tag and takes its place.
    if (await showByWorker(title, { path, body })) return
    try {
      const shown = new Notification(title, { body, tag: location.origin + BASE + path })
      shown.addEventListener('click', () => {
        window.focus()
        router.go(path)
        shown.close()
      })
    } catch {
      // Phones show notifications by a service worker only, which push messages install.
    }
  }

  function hear(event: LiveEvent): void {
    if (event.name === 'ready' || event.name === 'reset') known = readMine()
    else if (event.name === 'state') {
      const { session_id: id, state, assignee, reason } = event.data
      const isNew = state === 'operator' && assignee?.user_id === me && !mine.has(id)
      if (state === 'operator' && assignee?.user_id === me) mine.add(id)
      else mine.delete(id)
      if (state === 'waiting') alert(id, words.value.alerts.waiting, '')
      else if (isNew && reason !== 'claimed') alert(id, words.value.alerts.assigned, '')
    } else if (event.name === 'message' && event.data.role === 'visitor') {
      const { session_id: id, content } = event.data
      // A message may come while one's own conversations are still read.
      void known.then(() => {
        if (mine.has(id)) alert(id, words.value.alerts.message, content.slice(0, 120))
      })
    }
  }

  const unfollow = live.follow(hear)
  return () => {
    unfollow()
    ended.abort()
    leave()
  }
}

function isAllowed(): boolean {
  return 'Notification' in window && Notification.permission === 'granted'
}

/** Shows a notification by the service worker, the only way on phones; returns whether it could. */
async function showByWorker(
  title: string,
  { path, body }: { path: string; body: string },
): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration(`${BASE}/`)
  if (!registration?.active) return false
  const url = BASE + path
  await registration.showNotification(title, { body, tag: location.origin + url, data: url })
  return true
}

/** Plays two short tones; a browser that wants a press first stays silent. */
async function playTone(): Promise<void> {
  audio ??= new AudioContext()
  if (audio.state === 'suspended') await audio.resume().catch(() => undefined)
  if (audio.state !== 'running') return
  for (const [index, hertz] of TONES_HZ.entries()) {
    const from = audio.currentTime + index * TONE_SECONDS
    const tone = new OscillatorNode(audio, { frequency: hertz })
    const volume = new GainNode(audio, { gain: 0 })
    volume.gain.setValueAtTime(0.12, from)
    volume.gain.exponentialRampToValueAtTime(0.001, from + TONE_SECONDS)
    tone.connect(volume).connect(audio.destination)
    tone.start(from)
    tone.stop(from + TONE_SECONDS)
  }
}
