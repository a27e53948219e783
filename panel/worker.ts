/**
 * The panel's service worker: shows push messages while no page of the panel is open, and opens what
 * they tell of. It intercepts no request.
 */
import type { PushPayload } from '../server/notifications/push/schema.ts'

interface PanelWindow {
  url: string
  focused: boolean
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}

interface LastingEvent {
  waitUntil(work: Promise<unknown>): void
}

interface PushEvent extends LastingEvent {
  data: { json(): PushPayload } | null
}

interface NotificationEvent extends LastingEvent {
  notification: Notification
}

/** The part of `ServiceWorkerGlobalScope` that is used; TypeScript's own excludes that of pages. */
interface Worker {
  location: Location
  registration: ServiceWorkerRegistration
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<PanelWindow[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install' | 'activate', hear: (event: LastingEvent) => void): void
  addEventListener(name: 'push', hear: (event: PushEvent) => void): void
  addEventListener(name: 'notificationclick', hear: (event: NotificationEvent) => void): void
}

declare const self: Worker

const PANEL = '/panel'

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const payload = event.data?.json()
  if (payload) event.waitUntil(show(payload))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { data } = event.notification
  event.waitUntil(open(typeof data === 'string' ? data : PANEL))
})

/** Shows the message, unless its subject is already on the screen. */
async function show({ title, body, url, tag }: PushPayload): Promise<void> {
  const target = new URL(url, self.location.origin)
  const windows = await listWindows()
  if (windows.some((each) => each.focused && new URL(each.url).pathname === target.pathname)) return
  const path = target.pathname + target.search
  await self.registration.showNotification(title, { body, tag, data: path })
}

/** Takes an open window to the path, or opens one. */
async function open(path: string): Promise<void> {
  const [window] = await listWindows()
  if (!window) await self.clients.openWindow(path)
  else {
    window.postMessage({ open: path })
    await window.focus()
  }
}

async function listWindows(): Promise<PanelWindow[]> {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return all.filter(({ url }) => new URL(url).pathname.startsWith(PANEL))
}
