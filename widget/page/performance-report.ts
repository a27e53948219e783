import type { Place } from '../host/embed.ts'

/** Fields of performance entries that the types of TypeScript lack. */
interface Shift extends PerformanceEntry {
  value: number
  sources: { node: Node | null }[]
}
interface Frame extends PerformanceEntry {
  scripts: { sourceURL: string; duration: number }[]
}

/**
 * Reports the widget's cost to the tenant, once when the page is left: no cookie, no id, nothing
 * about the visitor. Off unless the tenant asked for it.
 */
export function reportPerformance({ host, base, tenant }: Place): void {
  const folder = `${new URL(import.meta.url).origin}/`
  const isOurs = (url: string): boolean =>
    /\/(widget[-\w]*\.js|adapters\/\w+\.js|assets\/\w+\/[\w-]+\.js)$/.test(url) &&
    url.startsWith(folder)
  let shift = 0
  let script_ms = 0
  let longest_ms = 0
  const observe = (type: string, take: (entry: PerformanceEntry) => void): void => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
    })
  }
  observe('layout-shift', (entry) => {
    const { value = 0, sources = [] }: Partial<Shift> = entry
    if (sources.some(({ node }) => node === host)) shift += value
  })
  observe('long-animation-frame', (entry) => {
    const { scripts = [] }: Partial<Frame> = entry
    for (const { sourceURL, duration } of scripts)
      if (isOurs(sourceURL)) {
        script_ms += duration
        longest_ms = Math.max(longest_ms, duration)
      }
  })

  const report = (): void => {
    if (document.visibilityState !== 'hidden') return
    removeEventListener('visibilitychange', report)
    const loads = performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => isOurs(name) || name.startsWith(`${base}/api/`))
    // The status of an opaque response of another origin is 0 too; that of an imported chunk is not.
    const failed = loads.filter(
      ({ name, responseStatus: status }) =>
        status >= 400 || (status === 0 && /\/assets\/\w+\//.test(name)),
    )
    const props = {
      bytes: loads.reduce((sum, { transferSize }) => sum + transferSize, 0),
      requests: loads.length,
      failed: failed.length,
      script_ms: Math.round(script_ms),
      longest_ms: Math.round(longest_ms),
      shift: Math.round(shift * 10_000) / 10_000,
    }
    const event = { type: 'widget.cost', at: new Date().toISOString(), props }
    // As text, which needs no preflight request.
    navigator.sendBeacon(
      `${base}/api/v1/analytics/events`,
      JSON.stringify({ tenant_id: tenant, events: [event] }),
    )
  }
  addEventListener('visibilitychange', report)
}
