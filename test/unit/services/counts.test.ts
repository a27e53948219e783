import { expect, test } from 'vitest'
import {
  addCounts,
  closingLine,
  countPlaywright,
  countVitest,
  failureLines,
} from '../../services/counts.ts'

test('counts what Vitest ran, and a file that could not be loaded as one failure', () => {
  const assertionResults = ['passed', 'passed', 'failed', 'skipped', 'todo'].map((status) => ({
    fullName: `a ${status} test`,
    status,
    failureMessages: status === 'failed' ? ['\u001b[31mexpected 1 to be 2\u001b[39m'] : [],
  }))
  const report = {
    testResults: [
      { name: `${process.cwd()}/a.test.ts`, status: 'failed', assertionResults },
      { name: 'b.test.ts', status: 'failed', message: 'no such file', assertionResults: [] },
    ],
  }
  expect(countVitest(report)).toEqual({
    passed: 2,
    failed: 2,
    skipped: 2,
    failures: [
      { name: 'a.test.ts › a failed test', message: 'expected 1 to be 2' },
      { name: 'b.test.ts', message: 'no such file' },
    ],
    skippedNames: ['a skipped test', 'a todo test'],
  })
})

test('counts what Playwright ran, in nested groups too, and a flaky test as failed', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status, results: [{}] }] })
  const report = {
    errors: [],
    suites: [
      {
        title: 'widget.test.ts',
        specs: [spec('opens', 'expected'), spec('closes', 'flaky')],
        suites: [{ title: 'on a phone', specs: [spec('fills the screen', 'skipped')] }],
      },
    ],
  }
  expect(countPlaywright(report)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: [{ name: 'widget.test.ts › closes', message: '' }],
    skippedNames: ['widget.test.ts › on a phone › fills the screen'],
  })
})

test('ends a run with the sum of all runners', () => {
  const one = { passed: 3, failed: 0, skipped: 0, failures: [], skippedNames: [] }
  expect(closingLine(addCounts([one, one]))).toBe('6 passed, 0 failed')
  const other = { passed: 1, failed: 2, skipped: 1, failures: [], skippedNames: ['x'] }
  expect(closingLine(addCounts([one, other]))).toBe('4 passed, 2 failed, 1 skipped')
})

test('names the failed tests at the end of a run, with their errors', () => {
  expect(failureLines([])).toBe('')
  const failures = [
    { name: 'a.test.ts › opens', message: 'expected 1\nto be 2' },
    { name: 'b.test.ts', message: '' },
  ]
  expect(failureLines(failures)).toBe(
    'Failed tests:\n  a.test.ts › opens\n    expected 1\n    to be 2\n  b.test.ts',
  )
})
