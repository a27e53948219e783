import { z } from 'zod'

/** The counts of a test runner; `skippedNames` lists the skipped tests. */
export type Counts = { passed: number; failed: number; skipped: number; skippedNames: string[] }

const VitestReport = z.object({
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
})

/** Counts Vitest's JSON report. A file that fails to load counts as one failure. */
export function countVitest(report: unknown): Counts {
  const files = VitestReport.parse(report).testResults
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === 'passed').length
  const failed = tests.filter((test) => test.status === 'failed').length
  const broken = files.filter(
    (file) =>
      file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length
  const skippedNames = tests
    .filter((test) => test.status !== 'passed' && test.status !== 'failed')
    .map((test) => test.fullName)
  return { passed, failed: failed + broken, skipped: skippedNames.length, skippedNames }
}

const PlaywrightTest = z.object({ status: z.string() })
const PlaywrightSuite = z.object({
  title: z.string(),
  specs: z.array(z.object({ title: z.string(), tests: z.array(PlaywrightTest) })),
  get suites() {
    return z.array(PlaywrightSuite).default([])
  },
})
type PlaywrightSuite = z.infer<typeof PlaywrightSuite>
const PlaywrightReport = z.object({
  suites: z.array(PlaywrightSuite),
  errors: z.array(z.unknown()).default([]),
})

/** Counts Playwright's JSON report. A flaky test, passed in a retry, counts as failed. */
export function countPlaywright(report: unknown): Counts {
  const { suites, errors } = PlaywrightReport.parse(report)
  const tests = suites.flatMap((suite) => testsOf(suite, ''))
  const passed = tests.filter((test) => test.status === 'expected').length
  const skippedNames = tests.filter((test) => test.status === 'skipped').map((test) => test.name)
  const failed = tests.length - passed - skippedNames.length + errors.length
  return { passed, failed, skipped: skippedNames.length, skippedNames }
}

function testsOf(suite: PlaywrightSuite, path: string): { name: string; status: string }[] {
  const name = `${path}${suite.title} › `
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map((test) => ({ name: `${name}${spec.title}`, status: test.status })),
  )
  return [...own, ...suite.suites.flatMap((inner) => testsOf(inner, name))]
}

/** Returns the sum of several counts. */
export function addCounts(all: Counts[]): Counts {
  const sum: Counts = { passed: 0, failed: 0, skipped: 0, skippedNames: [] }
  for (const counts of all) {
    sum.passed += counts.passed
    sum.failed += counts.failed
    sum.skipped += counts.skipped
    sum.skippedNames.push(...counts.skippedNames)
  }
  return sum
}

/** Returns the last line of a run. */
export function closingLine(counts: Counts): string {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`
}
