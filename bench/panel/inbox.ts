import type { CDPSession, Page } from '@playwright/test'
import type { Figure } from '../report/figure.ts'
import { lower, percentile, print, type PanelBench } from './figures.ts'
import { post } from '../server.ts'

const CONVERSATIONS = 10_000
const OPENED_AT_ONCE = 40
const SLOWED = 4
const WHEEL_STEPS = 240
/** A notch of a wheel for each frame: 7,200 pixels a second. */
const WHEEL_PIXELS = 120
const REST_MS = 4_000
const MESSAGES = 100
/** Target of the 95th percentile. */
const MAX_MESSAGE_MS = 150
const FRAME_MS = 1_000 / 60

declare global {
  interface Window {
    /** The page's own measurements, by name. */
    bench: { frames: number[]; tasks: { at: number; ms: number }[]; shown: Record<string, number> }
  }
}

/** Scrolls an inbox of 10,000 conversations, and times a visitor's messages to the open one. */
export async function benchInbox(bench: PanelBench): Promise<Figure[]> {
  const { url, token, tenant } = bench
  const { access_token: visitor } = await post(`${url}/api/v1/auth/visitor`, undefined, {
    tenant_id: tenant,
  })
  const open = (): Promise<{ session_id?: string }> =>
    post(`${url}/api/v1/chatbot/sessions`, visitor, { tenant_id: tenant })
  for (let opened = 0; opened < CONVERSATIONS; opened += OPENED_AT_ONCE) {
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, open))
  }
  const { session_id: session = '' } = await open()
  const context = await bench.signIn()
  const page = await context.newPage()
  await page.addInitScript(measure)
  await page.goto(`${url}/panel/inbox/${session}`)
  await scrollThrough(page)
  const cdp = await context.newCDPSession(page)
  const scrolled = await scroll(page, cdp)
  print(`scroll of ${CONVERSATIONS} conversations, CPU slowed ${SLOWED} times`, scrolled.text)
  await post(`${url}/api/v1/inbox/${session}/claim`, token, {})
  const waits = await timeMessages(page, { url, visitor, session, tenant })
  const p95 = percentile(waits, 95)
  print(
    'a visitor’s message to the open thread',
    `p50 ${percentile(waits, 50)} ms, p95 ${p95} ms of ${MESSAGES}`,
  )
  await context.close()
  const list = `scroll of ${CONVERSATIONS.toLocaleString('en-US')} conversations, slowed ${SLOWED} times`
  return [
    lower('inbox.scroll.tasks', `${list}: tasks over 50 ms`, scrolled.longTasks, '', 0),
    lower('inbox.scroll.p95', `${list}: frame, p95`, scrolled.frameP95, 'ms'),
    lower(
      'inbox.message.p95',
      'a visitor’s message to the open thread, p95',
      p95,
      'ms',
      MAX_MESSAGE_MS,
    ),
  ]
}

/** Runs in the page: counts frames and long tasks, and notes when a message appears. */
function measure(): void {
  window.bench = { frames: [], tasks: [], shown: {} }
  const count = (at: number): void => {
    window.bench.frames.push(at)
    requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      window.bench.tasks.push({ at: startTime, ms: duration })
    }
  }).observe({ type: 'longtask' })
  new MutationObserver(() => {
    for (const bubble of document.querySelectorAll('.bubble.visitor .text')) {
      const text = bubble.textContent ?? ''
      window.bench.shown[text] ??= Date.now()
    }
  }).observe(document, { childList: true, subtree: true })
}

/** Scrolls to the end until every conversation is loaded. */
async function scrollThrough(page: Page): Promise<void> {
  const size = (): Promise<number> =>
    page.evaluate(() => {
      const list = document.querySelector('.virtual')
      list?.scrollTo(0, list.scrollHeight)
      return Number(document.querySelector('.virtual li')?.getAttribute('aria-setsize'))
    })
  while ((await size()) < CONVERSATIONS) await page.waitForTimeout(50)
  await page.evaluate(() => document.querySelector('.virtual')?.scrollTo(0, 0))
  // The jump is drawn before anything is measured.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

/**
 * Wheels through the list and returns the time between frames and the longest task, and the same of a
 * list at rest: frames that other programs of the machine take are missed there too.
 */
async function scroll(
  page: Page,
  session: CDPSession,
): Promise<{ text: string; longTasks: number; frameP95: number }> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  await page.mouse.move(400, 500)
  const moving = await framesOf(page, async () => {
    for (let step = 0; step < WHEEL_STEPS; step += 1) await page.mouse.wheel(0, WHEEL_PIXELS)
  })
  const resting = await framesOf(page, () => page.waitForTimeout(REST_MS))
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return { ...moving, text: `${moving.text} (at rest: ${resting.text})` }
}

/** Returns the evenness of the frames that the page draws during an action. */
async function framesOf(
  page: Page,
  during: () => Promise<void>,
): Promise<{ text: string; longTasks: number; frameP95: number }> {
  const startedAt = await page.evaluate(() => {
    window.bench.frames = []
    return performance.now()
  })
  await during()
  const { frames, tasks: all } = await page.evaluate(() => window.bench)
  // Long tasks are reported late: those of the loading of the list come after its end.
  const tasks = all.filter(({ at }) => at >= startedAt).map(({ ms }) => ms)
  const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? 0))
  const onTime = gaps.filter((gap) => gap < 1.5 * FRAME_MS).length / gaps.length
  const longest =
    tasks.length === 0
      ? 'no task over 50 ms'
      : `${tasks.length} tasks over 50 ms, the longest ${Math.max(...tasks)} ms`
  const text =
    `frame p50 ${percentile(gaps, 50)} ms, p95 ${percentile(gaps, 95)} ms, ` +
    `${Math.round(onTime * 100)} % on time, ${longest}`
  return { text, longTasks: tasks.length, frameP95: percentile(gaps, 95) }
}

/** Sends messages one after the other, each after the one before it is drawn. */
async function timeMessages(
  page: Page,
  place: { url: string; visitor: string | undefined; session: string; tenant: string },
): Promise<number[]> {
  const waits: number[] = []
  for (let index = 0; index < MESSAGES; index += 1) {
    const message = `Message ${index}`
    const sentAt = Date.now()
    await post(`${place.url}/api/v1/chatbot/message`, place.visitor, {
      tenant_id: place.tenant,
      session_id: place.session,
      message,
    })
    const shown = await page.waitForFunction((text) => window.bench.shown[text], message)
    waits.push(((await shown.jsonValue()) ?? Infinity) - sentAt)
  }
  return waits
}
