import type { Browser } from '@playwright/test'

const TRACED = ['-*', '__metadata', 'devtools.timeline', 'disabled-by-default-devtools.timeline']
const SETTLE_MS = 1_500

interface TraceEvent {
  name: string
  pid: number
  tid: number
  ts: number
  dur?: number
  tdur?: number
}

/** The longest main-thread task of each interaction, in milliseconds of processor time. */
export interface Use {
  opening: number
  answering: number
}

/** Opens the product's widget on a page, sends a question and waits for the answer. */
export async function measureUse(browser: Browser, url: string, slowed: number): Promise<Use> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowed })
  await browser.startTracing(page, { categories: [...TRACED, 'blink.user_timing'] })
  const mark = (name: string) => page.evaluate((step) => performance.mark(step).name, name)
  const widget = page.locator('sohbet-widget')
  await page.goto(url)
  const box = await widget.locator('[part=launcher]').boundingBox()
  if (!box) throw new Error('The launcher did not show.')
  await page.waitForTimeout(SETTLE_MS)
  await mark('bench-open')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.waitForTimeout(SETTLE_MS)
  await page.keyboard.insertText('What does shipping cost?')
  await mark('bench-ask')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(SETTLE_MS * 2)
  await mark('bench-end')
  const answers = await widget.locator('[part=assistant]').count()
  if (answers !== 1) throw new Error('The question was not answered.')
  const traced: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString())
  await context.close()
  const longest = (from: string, to: string): number => {
    const begin = traced.traceEvents.find(({ name }) => name === from)
    const end = traced.traceEvents.find(({ name }) => name === to)
    if (!begin || !end) throw new Error('The trace has no marks.')
    const tasks = traced.traceEvents.filter(
      ({ name, pid, tid, ts }) =>
        name === 'RunTask' &&
        pid === begin.pid &&
        tid === begin.tid &&
        ts > begin.ts &&
        ts < end.ts,
    )
    return Math.max(...tasks.map(({ dur = 0, tdur = dur }) => tdur / 1_000))
  }
  return {
    opening: longest('bench-open', 'bench-ask'),
    answering: longest('bench-ask', 'bench-end'),
  }
}
