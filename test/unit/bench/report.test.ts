import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Figure, Report, isReached, stored } from '../../../bench/report/figure.ts'
import { type Outcome, type Run, changesOf, mergeReport } from '../../../bench/report/merge.ts'
import { performancePage } from '../../../bench/report/page.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RUN: Run = {
  date: '2026-11-24',
  commit: 'c0ffee00',
  machine: { cpu: 'a processor', cores: 2, memory_gb: 4, kernel: '6.1' },
  versions: { node: '26.0.0' },
}

function figure(id: string, value: number | null, more: Partial<Figure> = {}): Figure {
  return { id, label: `the ${id}`, value, unit: 'ms', better: 'lower', ...more }
}

function outcome(name: string, figures: Figure[], failed?: string): Outcome {
  return { name, seconds: 1, figures, ...(failed === undefined ? {} : { failed }) }
}

describe('the stored report', () => {
  test('replaces the parts of a run, and keeps the others', () => {
    const before = mergeReport(undefined, RUN, [
      outcome('chat', [figure('p50', 10), figure('gone', 1)]),
      outcome('panel', [figure('home', 900)]),
    ])
    const after = mergeReport(before, { ...RUN, commit: 'decaf000' }, [
      outcome('chat', [figure('p50', 12, { floor: 2 }), figure('new', 3)]),
    ])
    expect(after.parts.panel).toEqual(before.parts.panel)
    expect(after.parts.chat).toMatchObject({ commit: 'decaf000' })
    expect(after.parts.chat?.figures).toEqual([
      figure('p50', 12, { floor: 2, previous: { value: 10 } }),
      figure('new', 3),
    ])
  })

  test('keeps the figures of a part that failed, and the reason', () => {
    const before = mergeReport(undefined, RUN, [outcome('chat', [figure('p50', 10)])])
    const failed = [
      outcome('chat', [], 'ended with code 1'),
      outcome('live', [], 'longer than 1 s'),
    ]
    const after = mergeReport(before, { ...RUN, commit: 'decaf000' }, failed)
    expect(after.parts.chat).toEqual({ ...before.parts.chat, failed: 'ended with code 1' })
    expect(after.parts.live).toMatchObject({ figures: [], failed: 'longer than 1 s' })
    const recovered = mergeReport(after, RUN, [outcome('chat', [figure('p50', 10)])])
    expect(recovered.parts.chat?.failed).toBeUndefined()
  })

  test('stores a number without an end as null', () => {
    expect([stored(Infinity), stored(Number.NaN), stored(1_234.56), stored(0)]).toEqual([
      null,
      null,
      1_235,
      0,
    ])
  })
})

describe('the comparison with the run before', () => {
  const changed = (before: Figure, after: Figure) => {
    const first = mergeReport(undefined, RUN, [outcome('chat', [before])])
    const changes = changesOf(mergeReport(first, RUN, [outcome('chat', [after])]), ['chat'])
    return changes.map(({ ratio, isBetter }) => [Number(ratio.toFixed(2)), isBetter])
  }

  test('names a figure only beyond the noise', () => {
    expect(changed(figure('p50', 100), figure('p50', 119))).toEqual([])
    expect(changed(figure('p50', 100), figure('p50', 84))).toEqual([])
    expect(changed(figure('p50', 100), figure('p50', 125))).toEqual([[1.25, false]])
    expect(changed(figure('p50', 100), figure('p50', 80))).toEqual([[0.8, true]])
  })

  test('knows in which direction a figure is better', () => {
    const more = { better: 'higher' } as const
    expect(changed(figure('rate', 100, more), figure('rate', 50, more))).toEqual([[0.5, false]])
    expect(changed(figure('rate', 100, more), figure('rate', 200, more))).toEqual([[2, true]])
  })

  test('compares shares of the floor, so that a slower machine changes nothing', () => {
    expect(changed(figure('p50', 10, { floor: 5 }), figure('p50', 20, { floor: 10 }))).toEqual([])
  })

  test('notices a figure that has lost its end, or begins at zero', () => {
    expect(changed(figure('p50', 10), figure('p50', null))).toEqual([[Infinity, false]])
    expect(changed(figure('p50', null), figure('p50', 10))).toEqual([[0, true]])
    expect(changed(figure('p50', 0), figure('p50', 3))).toEqual([[Infinity, false]])
    expect(changed(figure('p50', 0), figure('p50', 0))).toEqual([])
  })

  test('names the largest change first, and only parts of the run', () => {
    const first = mergeReport(undefined, RUN, [
      outcome('chat', [figure('one', 100), figure('other', 100)]),
      outcome('live', [figure('one', 100)]),
    ])
    const second = mergeReport(first, RUN, [
      outcome('chat', [figure('one', 150), figure('other', 10)]),
      outcome('live', [figure('one', 500)]),
    ])
    expect(changesOf(second, ['chat']).map(({ figure: { id } }) => id)).toEqual(['other', 'one'])
  })
})

describe('a target', () => {
  test.each([
    [figure('value', 150, { target: { of: 'value', bound: 150 } }), true],
    [figure('value', 151, { target: { of: 'value', bound: 150 } }), false],
    [figure('value', null, { target: { of: 'value', bound: 150 } }), false],
    [figure('added', 1.2, { floor: 0.5, target: { of: 'beyond the floor', bound: 0.8 } }), true],
    [
      figure('share', 40, {
        better: 'higher',
        floor: 100,
        target: { of: 'share of the floor', bound: 0.5 },
      }),
      false,
    ],
    [figure('share', 40, { target: { of: 'share of the floor', bound: 0.5 } }), false],
    [figure('free', 40), undefined],
  ])('of %j is reached: %s', (measured, expected) => {
    expect(isReached(measured)).toBe(expected)
  })
})

describe('the page', () => {
  test('has each figure beside its floor, its target and others', () => {
    const page = performancePage(
      mergeReport(undefined, RUN, [
        outcome('chat', [
          figure('rate', 700, {
            unit: '/s',
            better: 'higher',
            floor: 14_000,
            target: { of: 'share of the floor', bound: 0.05 },
          }),
          figure('p99', 2_500, { target: { of: 'value', bound: 2_000 }, peers: { Other: 3_000 } }),
        ]),
      ]),
    )
    expect(page).toContain('Of 2 figures with a target,\n1 reach it.')
    expect(page).toContain(
      [
        '| figure   |    value |  floor | share | target                   | others      |',
        '| -------- | -------: | -----: | ----: | ------------------------ | ----------- |',
        '| the rate |   700 /s | 14,000 |  0.05 | ≥ 0.05 of the floor: met | –           |',
        '| the p99  | 2,500 ms |      – |     – | ≤ 2,000 ms: **missed**   | Other 3,000 |',
      ].join('\n'),
    )
  })

  test('has a row for each cost that grows, and a column for each size', () => {
    const at = (size: number, value: number) =>
      figure(`${size}.cpu`, value, { label: 'a turn', growth: { axis: 'documents', at: size } })
    const page = performancePage(
      mergeReport(undefined, RUN, [outcome('documents', [at(10, 1), at(1_000, 2.5)])]),
    )
    expect(page).toContain(
      [
        '### By documents',
        '',
        '|             |  10 | 1,000 |',
        '| ----------- | --: | ----: |',
        '| a turn (ms) |   1 |   2.5 |',
      ].join('\n'),
    )
  })

  test('in docs/performance.md is made from the stored report, and shows all of it', () => {
    const report = Report.parse(JSON.parse(readFileSync(join(ROOT, 'bench/report.json'), 'utf8')))
    const page = readFileSync(join(ROOT, 'docs/performance.md'), 'utf8')
    expect(page).toBe(performancePage(report))
    const labels = Object.values(report.parts).flatMap(({ figures }) =>
      figures.map(({ label }) => label),
    )
    expect(labels.filter((label) => !page.includes(label))).toEqual([])
  })
})
