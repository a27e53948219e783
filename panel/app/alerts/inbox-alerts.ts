import { useSignal, type ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PanelApp } from '../app-context.ts'
import { startVisitorAlerts } from './visitor-alerts.ts'

const POLL_INTERVAL_MS = 30_000
const AFTER_EVENT_MS = 300

/** Returns how many visitors wait for a person, kept current, and shows it in the tab's title. */
export function useInboxAlerts(app: PanelApp): ReadonlySignal<number> {
  const waiting = useSignal(0)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      const counts = await app.api.get<{ waiting: number }>('inbox/counts').catch(() => undefined)
      if (counts) waiting.value = counts.waiting
    }
    void ask()
    const endAlerts = startVisitorAlerts(app)
    app.live.start()
    const unfollow = app.live.follow(({ name }) => {
      if (name !== 'state' && name !== 'session') return
      clearTimeout(timer)
      timer = setTimeout(() => void ask(), AFTER_EVENT_MS)
    })
    const poll = setInterval(() => {
      if (app.live.isBlocked.value) void ask()
    }, POLL_INTERVAL_MS)
    return () => {
      unfollow()
      endAlerts()
      clearTimeout(timer)
      clearInterval(poll)
      app.live.stop()
    }
  }, [])

  useEffect(() => {
    const show = (): void => {
      const title = document.title.replace(/^\(\d+\) /, '')
      const wanted = waiting.value > 0 ? `(${waiting.value}) ${title}` : title
      if (document.title !== wanted) document.title = wanted
    }
    show()
    const element = document.querySelector('title')
    if (!element) return undefined
    // Each page sets the title again.
    const watch = new MutationObserver(show)
    watch.observe(element, { childList: true })
    return () => watch.disconnect()
  }, [waiting.value])

  return waiting
}
