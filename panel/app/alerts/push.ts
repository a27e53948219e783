import type { Api } from '../api/api.ts'
import { BASE, type Router } from '../router.ts'

const WORKER = `${BASE}/worker.js`
const SCOPE = `${BASE}/`
/** Holds the server's id of this browser's subscription. */
const STORED = 'sohbet.push'

interface ScriptPolicy {
  createScriptURL(url: string): string
}

interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy
}

declare global {
  interface Window {
    trustedTypes?: TrustedTypes
  }
}

/** A page may create a policy once. */
let policy: ScriptPolicy | undefined

/** `blocked`: the reader refused notifications of this site in the browser. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on'

/** Returns whether this browser gets push messages for the signed-in person. */
export async function readPushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window)) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  const subscription = await registration?.pushManager.getSubscription()
  return subscription && localStorage.getItem(STORED) !== null ? 'on' : 'off'
}

/** Asks for the permission and subscribes this browser; returns the state after that. */
export async function startPush(api: Api): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState()
  const { key } = await api.get<{ key: string }>('push/key')
  await navigator.serviceWorker.register(workerUrl(), { scope: SCOPE })
  const { pushManager } = await activeRegistration()
  const former = await pushManager.getSubscription()
  // A subscription with the key of another installation cannot be used.
  await former?.unsubscribe()
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  })
  const { id } = await api.post<{ id: string }>('account/push-subscriptions', subscription)
  localStorage.setItem(STORED, id)
  return 'on'
}

/** Ends the push messages of this browser, which signing out does as well. */
export async function endPush(api: Api): Promise<void> {
  const id = localStorage.getItem(STORED)
  if (id === null) return
  localStorage.removeItem(STORED)
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  await api.delete(`account/push-subscriptions/${id}`)
}

/** Opens the page that a clicked notification is about. */
export function followNotifications(router: Router): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'object' || data === null || !('open' in data)) return
    if (typeof data.open === 'string' && data.open.startsWith(BASE)) {
      router.go(data.open.slice(BASE.length) || '/')
    }
  })
}

/** Waits until the worker runs; `serviceWorker.ready` knows the page's own scope only. */
async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  if (!registration) throw new Error('The service worker is not registered.')
  const worker = registration.installing ?? registration.waiting
  if (worker) {
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        if (worker.state === 'activated' || worker.state === 'redundant') resolve()
      }
      worker.addEventListener('statechange', settle)
      settle()
    })
  }
  return registration
}

/** The only script address that the page's policy lets through besides its own tags. */
function workerUrl(): string {
  policy ??= window.trustedTypes?.createPolicy('panel-worker', { createScriptURL: () => WORKER })
  return policy?.createScriptURL(WORKER) ?? WORKER
}
