import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type Page, chromium } from '@playwright/test'
import { findPrograms } from '../../test/services/find.ts'
import { freePort } from '../../test/services/free-port.ts'
import { thisMachine } from '../../test/services/machine.ts'
import type { Figure } from '../report/figure.ts'
import { ensureBuilt, openWorkspace, post, startServer } from '../server.ts'
import { type Visit, widgetFigures } from './figures.ts'
import { type Candidate, bundleBotpress, candidates, servePages } from './pages.ts'
import { measureUse, type Use } from './use.ts'

const PEERS = join(import.meta.dirname, '../peers')
const ROUNDS = 7
const SLOWED = 4
/** Time after the launcher appears: work of a widget on an idle page. */
const SETTLE_MS = 1_500
/** A place of the page's text, and how long the pointer is there before it clicks. */
const ON_PAGE = { x: 300, y: 200 }
const ON_PAGE_MS = 1_000
/** The browsers' threshold of a long task. */
const LONG_TASK_MS = 50
const LOADER = /\/widget\.js$/
const TRACED = [
  '-*',
  '__metadata',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'v8',
]
const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync ' +
  '--disable-background-networking --disable-component-update'

/** The page's own measurements, installed before any other script. */
interface Notes {
  launcherMs?: number
  openMs?: number
  shift: number
  violations: string[]
}

/**
 * Measures a page's cost of the widget, beside widgets from npm. `only` selects those by their names; `alone`
 * selects none.
 */
export async function benchWidget(only: readonly string[]): Promise<Figure[]> {
  const isWanted = ({ name }: Candidate, place: number): boolean =>
    place < 3 || only.length === 0 || only.some((word) => name.startsWith(word))
  ensureBuilt()
  const programs = await findPrograms(thisMachine, ['chromium'])
  const browser = await chromium.launch({
    executablePath: programs.get('chromium') ?? '',
    args: FLAGS.split(' '),
  })
  const product = await startServer({})
  const all = candidates(product.url).filter(isWanted)
  // The peers follow the page without a widget, the product's and the one with a bare button.
  if (all.length > 3) installPeers()
  const bundle = all.some(({ name }) => name === 'Botpress') ? await bundleBotpress() : []
  const server = servePages(all, product.url, bundle)
  try {
    const owner = await openWorkspace(product.url)
    await post(`${product.url}/api/v1/tenants`, owner, { tenant_id: 'bench', name: 'Bench' })
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${port}`
    const visits = new Map<Candidate, Visit[]>(all.map((each) => [each, []]))
    // In rounds, so that a temporary load of the machine affects all candidates.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [place, each] of all.entries()) {
        const visit = await measure(browser, `${url}/${place}`, each)
        // The first round warms the server's caches.
        if (round > 0) visits.get(each)?.push(visit)
      }
    process.stdout.write(
      `\nOne page, one widget, Chromium slowed ${SLOWED} times; medians of ${ROUNDS} visits, nothing cached\n\n` +
        `${'widget'.padEnd(24)}  KB brotli  requests  launcher ms  main thread ms  longest task ms  open ms  shift  strict policy\n`,
    )
    const [bare] = all
    const idle = bare ? median(visits.get(bare) ?? [], 'mainThreadMs') : 0
    for (const [place, each] of all.entries()) {
      const policy = await tryStrictly(browser, `${url}/${place}?strict`, each)
      process.stdout.write(line(each, visits.get(each) ?? [], each === bare ? 0 : idle, policy))
    }
    const uses: Use[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      uses.push(await measureUse(browser, `${url}/1`, SLOWED))
    const evaluated = median(all[1] ? (visits.get(all[1]) ?? []) : [], 'loaderMs')
    process.stdout.write(
      `\nMain thread: beyond the ${idle.toFixed(0)} ms of the page with no widget.\n` +
        `Longest task: of those in which the widget's scripts ran, where it is longer than ${LONG_TASK_MS} ms.\n` +
        `Open: from the click on the launcher to an input that can be written in; the pointer came onto the\n` +
        `page a second before, and not near the launcher.\n` +
        `Sohbet's loader is compiled and evaluated in ${evaluated.toFixed(1)} ms.\n` +
        `Sohbet in use, longest task of all: ${middle(uses.map(({ opening }) => opening)).toFixed(0)} ms ` +
        `when opened, ${middle(uses.map(({ answering }) => answering)).toFixed(0)} ms when asked.\n`,
    )
    const own = all[1] ? (visits.get(all[1]) ?? []) : []
    const button = all[2] ? (visits.get(all[2]) ?? []) : []
    return widgetFigures({
      own: (what) => median(own, what),
      floor: (what) => median(button, what),
      opening: middle(uses.map(({ opening }) => opening)),
      answering: middle(uses.map(({ answering }) => answering)),
    })
  } finally {
    await browser.close()
    server.close()
    await product.stop()
  }
}

function installPeers(): void {
  if (existsSync(join(PEERS, 'node_modules'))) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: PEERS,
    stdio: 'inherit',
  })
}

const middle = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN

const median = (visits: Visit[], what: keyof Visit): number =>
  middle(visits.map((visit) => visit[what]))

function line({ name }: Candidate, visits: Visit[], idle: number, policy: string): string {
  const figure = (what: keyof Visit, digits = 0) => median(visits, what).toFixed(digits)
  return `${[
    name.padEnd(24),
    figure('kilobytes', 1).padStart(10),
    figure('requests').padStart(9),
    figure('launcherMs').padStart(12),
    (median(visits, 'mainThreadMs') - idle).toFixed(0).padStart(15),
    figure('longestTaskMs').padStart(16),
    (visits.some(({ openMs }) => openMs > 0) ? figure('openMs') : '–').padStart(8),
    figure('shift', 3).padStart(6),
    ` ${policy}`,
  ].join(' ')}\n`
}

/** Records the launcher's first paint, the input's after the click, layout shifts and policy violations. */
async function takeNotes(
  page: Page,
  { launcher, input = 'undefined' }: Pick<Candidate, 'launcher' | 'input'>,
): Promise<void> {
  await page.addInitScript(`{
    const notes = { shift: 0, violations: [] }
    Object.defineProperty(globalThis, 'benchNotes', { value: notes })
    const watch = (type, take) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
    watch('layout-shift', ({ value }) => (notes.shift += value))
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      notes.violations.push(effectiveDirective))
    const look = () => {
      const box = (${launcher})?.getBoundingClientRect()
      if (box && box.width > 0 && box.height > 0) notes.launcherMs = performance.now()
      else requestAnimationFrame(look)
    }
    look()
    addEventListener('click', ({ timeStamp }) => {
      const wait = () => {
        const field = ${input}
        const isThere = field?.getBoundingClientRect().height > 0 && !field.disabled
        if (isThere && getComputedStyle(field).visibility === 'visible')
          notes.openMs = performance.now() - timeStamp
        else requestAnimationFrame(wait)
      }
      wait()
    }, { capture: true, once: true })
  }`)
}

async function measure(browser: Browser, url: string, candidate: Candidate): Promise<Visit> {
  const { name, launcher, input } = candidate
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  // Thread time, independent of the machine's load.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  const loaded: number[] = []
  page.on('response', (response) => {
    if (response.url() !== url && !response.url().startsWith('data:'))
      loaded.push(Number(response.headers()['content-length'] ?? 0))
  })
  await takeNotes(page, candidate)
  await browser.startTracing(page, { categories: TRACED })
  await page.goto(url)
  await page.waitForFunction('benchNotes.launcherMs', undefined, { timeout: 30_000 }).catch(() => {
    throw new Error(`The launcher of ${name} did not show.`)
  })
  await page.waitForTimeout(SETTLE_MS)
  const { metrics } = await session.send('Performance.getMetrics')
  const notes = await page.evaluate<Notes>('benchNotes')
  const traced: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString())
  const before = {
    kilobytes: loaded.reduce((sum, bytes) => sum + bytes, 0) / 1_000,
    requests: loaded.length,
  }
  const openMs = input === undefined ? 0 : await open(page, launcher)
  await context.close()
  const seconds = metrics.find((each) => each.name === 'TaskDuration')?.value ?? Number.NaN
  return {
    ...before,
    launcherMs: notes.launcherMs ?? Number.NaN,
    mainThreadMs: seconds * 1_000,
    ...readTrace(traced.traceEvents, url),
    shift: notes.shift,
    openMs,
  }
}

/**
 * Brings the pointer onto the page, as every click does, and a second later at once onto the launcher;
 * returns the time from the click to the input.
 */
async function open(page: Page, launcher: string): Promise<number> {
  await page.mouse.move(ON_PAGE.x, ON_PAGE.y)
  await page.waitForTimeout(ON_PAGE_MS)
  const at = await page.evaluate<{ x: number; y: number }>(`{
    const { x, y, width, height } = (${launcher}).getBoundingClientRect();
    ({ x: x + width / 2, y: y + height / 2 })
  }`)
  await page.mouse.click(at.x, at.y)
  await page.waitForFunction('benchNotes.openMs', undefined, { timeout: 30_000 })
  const { openMs } = await page.evaluate<Notes>('benchNotes')
  return openMs ?? Number.NaN
}

/** @returns a summary of the widget's violations of the strictest policy */
async function tryStrictly(browser: Browser, url: string, candidate: Candidate) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await takeNotes(page, candidate)
  await page.goto(url)
  await page.waitForTimeout(SETTLE_MS * 2)
  const { violations, launcherMs } = await page.evaluate<Notes>('benchNotes')
  await context.close()
  const kinds = [...new Set(violations)].join(', ')
  const said = violations.length > 0 ? `${violations.length} violations (${kinds})` : 'clean'
  return launcherMs === undefined ? `${said}, does not start` : said
}

/** Thread time, independent of the machine's load. */
const workedMs = ({ dur = 0, tdur = dur }: TraceEvent): number => tdur / 1_000

/** Returns the longest main-thread task with the widget's scripts, and the loader's own time. */
function readTrace(events: TraceEvent[], url: string): Pick<Visit, 'longestTaskMs' | 'loaderMs'> {
  const placeOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  // The trace includes the browser's internal pages, which have other processes.
  const pids = new Set(
    events.flatMap(({ name, args }) =>
      name === 'FrameCommittedInBrowser' && args?.data?.url === url ? [args.data.processId] : [],
    ),
  )
  const isMain = ({ name, pid, args }: TraceEvent) =>
    name === 'thread_name' && args?.name === 'CrRendererMain' && pids.has(pid)
  const main = new Set(events.filter(isMain).map(placeOf))
  if (main.size === 0) throw new Error('The trace does not know the page.')
  const there = events.filter((event) => main.has(placeOf(event)))
  // The page's only script is the snippet; the measuring script has no URL.
  const scripts = there.filter(
    ({ name, args }) =>
      name === 'v8.evaluateModule' ||
      (/^(EvaluateScript|FunctionCall)$/.test(name) && args?.data?.url?.startsWith('http')),
  )
  const tasks = there.filter(
    ({ name, ts, dur = 0 }) =>
      name === 'RunTask' && scripts.some((script) => script.ts >= ts && script.ts <= ts + dur),
  )
  const longest = Math.max(0, ...tasks.map(workedMs))
  const loader = scripts.filter(({ args }) => LOADER.test(args?.data?.url ?? ''))
  const evaluated = loader.filter(({ name }) => name === 'EvaluateScript')
  return {
    longestTaskMs: longest < LONG_TASK_MS ? 0 : longest,
    loaderMs: evaluated.map(workedMs).reduce((sum, ms) => sum + ms, 0),
  }
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds, like all times of the trace. */
  ts: number
  /** Microseconds of wall-clock time, and of thread time. */
  dur?: number
  tdur?: number
  args?: { name?: string; data?: { url?: string; processId?: number } }
}
