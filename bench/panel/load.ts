import type { BrowserContext, Page } from '@playwright/test'
import type { Figure } from '../report/figure.ts'
import { lower, percentile, print, type PanelBench } from './figures.ts'

declare global {
  interface Window {
    /** Milliseconds after the start of the navigation. */
    figuresDrawnAt?: number
  }
}

const PAGES = [
  'inbox',
  'leads',
  'appointments',
  'knowledge',
  'widget',
  'actions',
  'prompts',
  'webhooks',
  'developers',
  'reports',
  'credits',
  'team',
  'settings',
  'account',
]
const RUNS = 7
/** Targets. */
const MAX_FIRST_KB = 40
const MAX_PAGE_KB = 25
const MAX_HOME_MS = 1_000
/** Lighthouse's “slow 4G”: 150 ms for each round trip, 1.6 Mbit/s down, 0.75 Mbit/s up. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

/** Prints what scripts and styles weigh on the wire: up to Home, and each page on top of that. */
export async function benchBytes(bench: PanelBench): Promise<Figure[]> {
  const home = await loadedBy(bench, '')
  const first = [...home.values()]
  print('first load, script and style up to Home', kilobytes(first))
  const reported = [
    lower('bytes.home', 'first load, up to Home', sumOf(first) / 1_000, 'KB', MAX_FIRST_KB),
  ]
  for (const name of PAGES) {
    const loaded = await loadedBy(bench, `/${name}`)
    const more = [...loaded].filter(([url]) => !home.has(url)).map(([, bytes]) => bytes)
    print(`  ${name} on top of it`, kilobytes(more))
    const added = sumOf(more) / 1_000
    reported.push(lower(`bytes.${name}`, `${name}, on top of it`, added, 'KB', MAX_PAGE_KB))
  }
  return reported
}

/** Prints how long Home takes from an empty cache on a slow network until its figures are drawn. */
export async function benchHome(bench: PanelBench): Promise<Figure[]> {
  const waits: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const context = await bench.signIn()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', SLOW_4G)
    await page.addInitScript(noteFigures)
    await page.goto(`${bench.url}/panel`, { waitUntil: 'commit' })
    waits.push(await drawnAfter(page))
    await context.close()
  }
  const p95 = percentile(waits, 95)
  const p50 = percentile(waits, 50)
  print('Home on slow 4G, empty cache', `p50 ${p50} ms, p95 ${p95} ms`)
  return [lower('home.p50', 'Home on slow 4G, empty cache, p50', p50, 'ms', MAX_HOME_MS)]
}

/**
 * Runs in the page and notes when the frame with Home's figures was painted. The page measures on its
 * own, because the answer of a test driver waits for the driver's polls.
 */
function noteFigures(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('main .figures')) return
    observer.disconnect()
    requestAnimationFrame(() => {
      const painted = new MessageChannel()
      painted.port1.addEventListener('message', () => (window.figuresDrawnAt = performance.now()))
      painted.port1.start()
      painted.port2.postMessage(undefined)
    })
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Returns the milliseconds from the start of the navigation until Home's figures are painted. */
async function drawnAfter(page: Page): Promise<number> {
  const drawnAt = await page.waitForFunction(() => window.figuresDrawnAt)
  return (await drawnAt.jsonValue()) ?? Infinity
}

/** Returns the scripts and styles that a page loads, with their bytes on the wire. */
async function loadedBy(bench: PanelBench, path: string): Promise<Map<string, number>> {
  const context: BrowserContext = await bench.signIn()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const urls = new Map<string, string>()
  const loaded = new Map<string, number>()
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script' || type === 'Stylesheet') urls.set(requestId, response.url)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId)
    if (url) loaded.set(url, encodedDataLength)
  })
  await page.goto(`${bench.url}/panel${path}`)
  await page.locator('main h1').first().waitFor()
  await page.waitForLoadState('load')
  await context.close()
  return loaded
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

function kilobytes(sizes: readonly number[]): string {
  return `${(sumOf(sizes) / 1_000).toFixed(1)} kB in ${sizes.length} files`
}
