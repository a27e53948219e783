import { fork } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Figure, Report } from './figure.ts'
import { describeRun } from './machine.ts'
import { type Outcome, changesOf, mergeReport } from './merge.ts'
import { performancePage } from './page.ts'
import { shortNumber } from './table.ts'

const ROOT = join(import.meta.dirname, '../..')
const STORED = join(ROOT, 'bench/report.json')
const PAGE = join(ROOT, 'docs/performance.md')
const PART_TIMEOUT_MS = 300_000
const KILL_AFTER_MS = 5_000
const Sent = z.object({ figures: z.array(Figure) })

/** A part of the whole benchmark, with the selection that fits its time. */
export interface Step {
  name: string
  selection: readonly string[]
}

/**
 * Runs parts one after the other, each in a process of its own, stores their figures among the others, makes the page
 * and prints what changed. The exit code is 1 after a part that failed.
 */
export async function runAll(steps: readonly Step[]): Promise<void> {
  const run = await describeRun()
  const outcomes: Outcome[] = []
  const started = performance.now()
  for (const [at, step] of steps.entries()) {
    print(`\n[${at + 1}/${steps.length}] ${step.name}\n`)
    const outcome = await runPart(step)
    const found = outcome.failed ?? `${outcome.figures.length} figures`
    print(`[${at + 1}/${steps.length}] ${step.name}: ${found}, ${outcome.seconds.toFixed(0)} s\n`)
    outcomes.push(outcome)
    // Stored after each part: a run that is interrupted loses only what is left.
    store(mergeReport(readReport(), run, [outcome]))
  }
  const report = readReport()
  if (report) printChanges(report, steps)
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  const failed = outcomes.filter((outcome) => outcome.failed !== undefined)
  print(
    `\n${outcomes.length - failed.length} parts measured, ${failed.length} failed, ${minutes} min\n`,
  )
  for (const { name, failed: reason } of failed) print(`${name}: ${reason}\n`)
  if (failed.length > 0) process.exitCode = 1
}

/** Makes the page from the stored report. Throws without one. */
export function makePage(): void {
  const report = readReport()
  if (!report) throw new Error('There is no report: run npm run bench first.')
  writeFileSync(PAGE, performancePage(report))
}

/** Hands the figures of a part to the process that runs all of them, if there is one. */
export function sendFigures(figures: readonly Figure[]): void {
  process.send?.({ figures })
}

function readReport(): Report | undefined {
  return existsSync(STORED) ? Report.parse(JSON.parse(readFileSync(STORED, 'utf8'))) : undefined
}

function store(report: Report): void {
  writeFileSync(STORED, `${JSON.stringify(report, undefined, 2)}\n`)
  writeFileSync(PAGE, performancePage(report))
}

async function runPart({ name, selection }: Step): Promise<Outcome> {
  const started = performance.now()
  // A group of its own, so that a part that hangs is stopped with its servers.
  const child = fork(join(ROOT, 'bench/run.ts'), [name, ...selection], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  let figures: readonly Figure[] | undefined
  child.on('message', (message) => (figures = Sent.safeParse(message).data?.figures))
  let isLate = false
  const stop = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // The group has ended.
    }
  }
  const timer = setTimeout(() => {
    isLate = true
    stop('SIGTERM')
    setTimeout(() => stop('SIGKILL'), KILL_AFTER_MS).unref()
  }, PART_TIMEOUT_MS)
  const interrupt = () => {
    stop('SIGTERM')
    process.exit(130)
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', resolve)
  })
  clearTimeout(timer)
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  // Servers that a crashed part left behind would burden the next one.
  stop('SIGTERM')
  const seconds = Math.round((performance.now() - started) / 100) / 10
  if (isLate) {
    return { name, seconds, figures: [], failed: `longer than ${PART_TIMEOUT_MS / 1_000} s` }
  }
  // A part that sets its exit code, as guard does, still has figures.
  if (figures === undefined) {
    return { name, seconds, figures: [], failed: `ended with code ${code ?? 'of a signal'}` }
  }
  return { name, seconds, figures }
}

function printChanges(report: Report, steps: readonly Step[]): void {
  const names = steps.map(({ name }) => name)
  const changes = changesOf(report, names)
  print(`\nChanged by more than the noise, compared with the stored report: ${changes.length}\n`)
  for (const { part, figure, ratio, isBetter } of changes) {
    const before = shortNumber(figure.previous?.value)
    const values = `${before} → ${shortNumber(figure.value)} ${figure.unit}`
    const verdict = isBetter ? 'better' : 'worse'
    print(`${verdict.padEnd(7)} ${part}: ${figure.label}, ${values} (× ${ratio.toFixed(2)})\n`)
  }
}

function print(text: string): void {
  process.stdout.write(text)
}
