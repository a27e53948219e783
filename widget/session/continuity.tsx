import { batch, effect } from '../runtime/signals.ts'
import { watchUnread } from './alerts.ts'
import { announceAnswers, createAnnouncer } from './announcer.ts'
import { Refusal } from '../chat/api.ts'
import formStyles from './form.css?inline'
import { createForms } from './forms.ts'
import { createNotices, createOffer } from './notices.tsx'
import { createFormats, createTimestamps, loadLocaleData, showTimes } from './timestamps.tsx'
import type { AppContext } from '../ui/app-context.ts'
import { createHistory } from './history.ts'
import { markLanguages } from './language.ts'
import styles from './continuity.css?inline'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import { yieldToMain } from '../runtime/yield.ts'
import { policyLink } from './policy-link.tsx'
import { createRecovery } from './recovery.ts'
import { shareTabs } from './tabs.ts'

/** Interval of retries where the browser emits no `online` event. */
const RETRY_INTERVAL_MS = 20_000

export type Continuity = Awaited<ReturnType<typeof start>>

/** Keeps a conversation going over reloads, tabs, lost connections and refusals. */
export async function start(app: AppContext, strings: LazyStrings, startLive: () => Promise<void>) {
  const { host, chat, ui } = app
  const { api, storage, destroyed, config } = host
  let isLeaving = false
  let wasWaiting = false
  let isIdentified = false
  /** Requests under way, by visitor and identity. */
  const identifying = new Map<string, Promise<void>>()
  ui.announce = createAnnouncer(ui.region)
  const recovery = createRecovery({
    chat,
    storage,
    config,
    isOver: () => isLeaving || destroyed.aborted,
    isOnline: () => navigator.onLine,
  })
  const forms = createForms(app)
  const history = createHistory(app)
  const formats = createFormats(ui.strings)
  await yieldToMain()
  loadLocaleData(ui.strings)
  await yieldToMain()
  formats.time()
  await yieldToMain()
  const alerts = watchUnread(app)
  const tabs = shareTabs(app)

  /** Sends the outbox again after a lost connection. */
  function trySending(): void {
    const sendError = chat.sendError.peek()
    if (sendError === 'offline' || sendError === 'cut') void chat.run()
  }

  /**
   * Sends the page's identity of the visitor, once the visitor has written. Starts over where this
   * browser's visitor is somebody else, by the token of an earlier page.
   */
  async function identify(): Promise<void> {
    const { name, email, phone, token } = host.identity
    const said = { name, email, phone, token }
    const visitor = storage.get('token')
    isIdentified = visitor !== undefined
    if (!isIdentified || Object.values(said).every((each) => each === undefined)) return
    // A late second refusal would remove what the next visitor has begun.
    const key = JSON.stringify([visitor, said])
    const sending = identifying.get(key) ?? sendIdentity(said)
    identifying.set(key, sending)
    await sending
    identifying.delete(key)
  }

  async function sendIdentity(said: object): Promise<void> {
    await api.post('chatbot/identify', said).catch((refusal: unknown) => {
      if (!(refusal instanceof Refusal)) return
      if (refusal.status === 409) {
        chat.forgetVisitor()
        isIdentified = false
      } else if (refusal.status === 422)
        console.warn('Sohbet: identify was refused', refusal.problem.errors)
    })
  }

  async function restore(): Promise<void> {
    if (chat.lines.peek().length === 0) {
      // Begun in another tab since the chat was started here.
      if (storage.get('session')) chat.suggestions.value = []
      if (!chat.draft.peek()) chat.draft.value = storage.get('draft') ?? ''
      const loading = history.load()
      // While the network is waited for.
      for (const make of Object.values(formats)) {
        await yieldToMain()
        make()
      }
      await loading
    }
    if (storage.get('session')) void startLive()
    if (!chat.isBusy() && !chat.sendError.peek()) await chat.run()
  }

  ui.addStyles(styles + formStyles)
  showTimes(host.root)
  batch(() => {
    ui.addSlots({
      before: () => history.hasFailed.value && <p class="note">{strings.historyFailed}</p>,
      time: createTimestamps(formats),
      notices: createNotices(app, strings, recovery),
    })
    ui.addAfter(createOffer(app, strings, forms))
  })
  await yieldToMain()
  host.events.on('message:received', ({ text }: { text: string }) => alerts.notify(text))
  const endings = [
    announceAnswers(app),
    alerts.end,
    tabs.end,
    markLanguages(host.root, ui.strings.tag),
    effect(() => {
      const last = chat.lines.value.at(-1)
      if (last && chat.isOpen.value && chat.unread.value === 0) storage.set('seen', last.id)
    }),
    // This chunk may be loaded before the first message.
    effect(() => {
      if (chat.lines.value.length > 1 && !isIdentified) void identify()
    }),
    effect(() => {
      if (chat.answer.value !== '') recovery.isRetrying.value = false
    }),
    effect(() => {
      const isWaiting = recovery.countdown.value > 0
      if (isWaiting && !wasWaiting) ui.announce(strings.waitingBriefly)
      wasWaiting = isWaiting
    }),
  ]
  const timer = setInterval(trySending, RETRY_INTERVAL_MS)
  addEventListener('online', trySending, { signal: destroyed })
  addEventListener('pagehide', () => (isLeaving = true), { signal: destroyed })
  addEventListener('pageshow', () => (isLeaving = false), { signal: destroyed })
  destroyed.addEventListener('abort', () => {
    clearInterval(timer)
    for (const end of endings) end()
  })
  const identified = identify()
  // Nobody may see the conversation of the person before.
  void (host.identity.token ? identified : Promise.resolve()).then(() => {
    if (storage.get('session') ?? storage.outbox()[0]) void restore()
    return
  })

  return {
    recover: recovery.recover,
    identify,
    history,
    alerts,
    tabs,
    forms,
    policyLink: () => policyLink(config, strings.contact),
  }
}
