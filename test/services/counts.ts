import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

/** A failed test and the first lines of its error. */
export type Failure = { name: string; message: string }

/** The counts of a test runner, the failed tests and the names of the skipped ones. */
export type Counts = {
  passed: number
  failed: number
  skipped: number
  failures: Failure[]
  skippedNames: string[]
}

const MAX_MESSAGE_LINES = 12

const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

/** Counts Vitest's JSON report. A file that fails to load counts as one failure. */
export function countVitest(report: unknown): Counts {
  const files = VitestReport.parse(report).testResults
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === 'passed').length
  const failures = files.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    if (file.status === 'failed' && failed.length === 0) return [failureOf(file.name, file.message)]
    return failed.map((test) =>
      failureOf(`${file.name} › ${test.fullName}`, test.failureMessages?.join('\n')),
    )
  })
  const skippedNames = tests
    .filter((test) => test.status !== 'passed' && test.status !== 'failed')
    .map((test) => test.fullName)
  const skipped = skippedNames.length
  return { passed, failed: failures.length, skipped, failures, skippedNames }
}

const PlaywrightError = z.object({ message: z.string().optional() })
const PlaywrightTest = z.object({
  status: z.string(),
  results: z.array(z.object({ error: PlaywrightError.optional() })).default([]),
})
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
  errors: z.array(PlaywrightError).default([]),
})

/** Counts Playwright's JSON report. A flaky test, passed in a retry, counts as failed. */
export function countPlaywright(report: unknown): Counts {
  const { suites, errors } = PlaywrightReport.parse(report)
  const tests = suites.flatMap((suite) => testsOf(suite, ''))
  const passed = tests.filter((test) => test.status === 'expected').length
  const skippedNames = tests.filter((test) => test.status === 'skipped').map((test) => test.name)
  const failures = tests
    .filter((test) => test.status !== 'expected' && test.status !== 'skipped')
    .map((test) => failureOf(test.name, test.message))
  failures.push(...errors.map((error) => failureOf('outside of a test', error.message)))
  const skipped = skippedNames.length
  return { passed, failed: failures.length, skipped, failures, skippedNames }
}

function testsOf(
  suite: PlaywrightSuite,
  path: string,
): { name: string; status: string; message: string | undefined }[] {
  const name = `${path}${suite.title} › `
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map((test) => ({
      name: `${name}${spec.title}`,
      status: test.status,
      message: test.results.find((result) => result.error !== undefined)?.error?.message,
    })),
  )
  return [...own, ...suite.suites.flatMap((inner) => testsOf(inner, name))]
}

function failureOf(name: string, message = ''): Failure {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, MAX_MESSAGE_LINES)
  return { name: relativeToHere(name), message: lines.join('\n').trim() }
}

/** Vitest names files by their absolute path. */
function relativeToHere(name: string): string {
  return name.replace(`${process.cwd()}/`, '')
}

/** Returns the sum of several counts. */
export function addCounts(all: Counts[]): Counts {
  const sum: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], skippedNames: [] }
  for (const counts of all) {
    sum.passed += counts.passed
    sum.failed += counts.failed
    sum.skipped += counts.skipped
    sum.failures.push(...counts.failures)
    sum.skippedNames.push(...counts.skippedNames)
  }
  return sum
}

/** Returns the failed tests of a run with their errors, for its end; empty without any. */
export function failureLines(failures: Failure[]): string {
  if (failures.length === 0) return ''
  const blocks = failures.map(({ name, message }) => {
    const indented = message.split('\n').map((line) => `    ${line}`)
    return [`  ${name}`, ...(message === '' ? [] : indented)].join('\n')
  })
  return ['Failed tests:', ...blocks].join('\n')
}

/** Returns the last line of a run. */
export function closingLine(counts: Counts): string {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`
}
