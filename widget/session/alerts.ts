import { effect, signal } from '../runtime/signals.ts'
import type { AppContext } from '../ui/app-context.ts'

/** Ways to alert a visitor to an unseen message. */
export type Alert = 'sound' | 'desktop'

/** Stored where the visitor does not want the count in the page's title. */
const UNCOUNTED = 'uncounted'

/** Two notes, as frequency in hertz and start in seconds. */
const NOTES = [
  [660, 0],
  [880, 0.12],
] as const

/** Counts unread messages in the page's title; rings and alerts where the visitor switched that on. */
export function watchUnread({ host, chat, ui }: AppContext) {
  const { config, storage, tenant } = host
  const wanted = signal<string[]>(storage.get('alerts')?.split(' ') ?? [])
  let audio: AudioContext | undefined

  async function ring(): Promise<void> {
    audio ??= new AudioContext()
    await audio.resume()
    for (const [frequency, start] of NOTES) {
      const tone = new OscillatorNode(audio, { frequency })
      const volume = new GainNode(audio)
      const from = audio.currentTime + start
      volume.gain.setValueAtTime(0.12, from)
      volume.gain.exponentialRampToValueAtTime(0.001, from + 0.3)
      tone.connect(volume).connect(audio.destination)
      tone.start(from)
      tone.stop(from + 0.3)
    }
  }

  function alert(text: string): void {
    const name = config?.name ?? ui.strings.title
    try {
      const shown = new Notification(name, { body: text, tag: `sohbet:${tenant}` })
      shown.addEventListener('click', () => {
        window.focus()
        ui.open()
        shown.close()
      })
    } catch {
      // Android's browsers have the class but let only workers use it.
    }
  }

  /** Rings and alerts; to be called in one tab only. */
  function notify(text: string): void {
    if (chat.unread.peek() === 0) return
    if (wanted.peek().includes('sound')) void ring().catch(() => {})
    if (wanted.peek().includes('desktop') && document.hidden) alert(text)
  }

  /** Switches one on or off, on the visitor's click. @returns whether it is as it was wanted. */
  async function toggle(which: Alert): Promise<boolean> {
    const isOn = wanted.peek().includes(which)
    if (!isOn && which === 'desktop' && (await Notification.requestPermission()) !== 'granted')
      return false
    flip(which)
    if (!isOn && which === 'sound') void ring().catch(() => {})
    return true
  }

  const isCounted = (): boolean => !wanted.value.includes(UNCOUNTED)

  function flip(which: string): void {
    const now = wanted.peek()
    wanted.value = now.includes(which) ? now.filter((each) => each !== which) : [...now, which]
    storage.set('alerts', wanted.peek().join(' ') || undefined)
  }

  addEventListener(
    'visibilitychange',
    () => {
      if (!document.hidden && chat.isOpen.peek()) chat.unread.value = 0
    },
    { signal: host.destroyed },
  )
  const end = effect(() => {
    const count = isCounted() ? chat.unread.value : 0
    const title = document.title.replace(/^\(\d+\) /, '')
    if (count > 0) document.title = `(${count}) ${title}`
    else if (document.title !== title) document.title = title
  })
  return {
    wanted,
    notify,
    toggle,
    isCounted,
    flipCounted: () => flip(UNCOUNTED),
    end,
    hasDesktop: 'Notification' in globalThis,
  }
}
