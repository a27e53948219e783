import { describe, expect, test } from 'vitest'
import { decideOutcome, RETRY_SCHEDULE_MS } from '../../../server/delivery/retry-policy.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const plain = { now: NOW, timeScale: 1, jitter: 0 }

describe('waits', () => {
  test.each([
    ['platform', [30, 120, 600, 3600, 21_600, 86_400]],
    ['chat', [30, 300, 1800]],
  ] as const)(
    'of the %s family are those of the specification, then it is over',
    (family, waits) => {
      waits.forEach((seconds, index) => {
        const verdict = decideOutcome(family, index + 1, { status: 500 }, plain)
        expect(verdict).toEqual({ kind: 'retry', at: NOW + seconds * 1000 })
      })
      const last = decideOutcome(family, waits.length + 1, { status: 500 }, plain)
      expect(last).toEqual({ kind: 'exhausted' })
    },
  )

  test('are never shorter, and at most a tenth longer', () => {
    const verdict = decideOutcome('chat', 1, { status: 500 }, { ...plain, jitter: 0.9999 })
    expect(verdict).toMatchObject({ kind: 'retry' })
    if (verdict.kind !== 'retry') return
    expect(verdict.at).toBeGreaterThan(NOW + RETRY_SCHEDULE_MS.chat[0]!)
    expect(verdict.at).toBeLessThanOrEqual(NOW + RETRY_SCHEDULE_MS.chat[0]! * 1.1)
  })

  test('follow the time scale of development', () => {
    const at = { ...plain, timeScale: 0.001 }
    expect(decideOutcome('chat', 2, { status: 500 }, at)).toEqual({ kind: 'retry', at: NOW + 300 })
  })
})

describe('Retry-After', () => {
  const after = (retryAfter: string, status = 429, timeScale = 1) => {
    const verdict = decideOutcome('platform', 1, { status, retryAfter }, { ...plain, timeScale })
    return verdict.kind === 'retry' ? verdict.at - NOW : undefined
  }

  test('lengthens a wait, up to an hour', () => {
    expect(after('90')).toBe(90_000)
    expect(after('90', 503)).toBe(90_000)
    expect(after('Sat, 21 Nov 2026 10:05:00 GMT')).toBe(300_000)
    expect(after('86400')).toBe(3_600_000)
  })

  test('never shortens a wait, and is ignored where it means nothing', () => {
    for (const value of ['1', '-5', '', 'soon', '1e9', '99999999999999', '2026-11-21T11:00:00Z']) {
      expect(after(value), value).toBe(30_000)
    }
    expect(after('90', 500)).toBe(30_000)
  })

  test('is not scaled', () => {
    expect(after('90', 429, 0)).toBe(90_000)
  })
})

describe('which answers are tried again', () => {
  const verdict = (family: 'chat' | 'platform', status: number | null) =>
    decideOutcome(family, 1, { status }, plain)

  test.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
    expect(verdict('chat', status)).toEqual({ kind: 'delivered' })
    expect(verdict('platform', status)).toEqual({ kind: 'delivered' })
  })

  test.each([500, 502, 599, 408, 425, 429, null])('a subscription tries %s again', (status) => {
    expect(verdict('platform', status).kind).toBe('retry')
  })

  test.each([300, 301, 304, 307, 400, 401, 404, 418])('a subscription gives up on %i', (status) => {
    expect(verdict('platform', status)).toEqual({ kind: 'failed', disable: false })
  })

  test('410 also disables a subscription', () => {
    expect(verdict('platform', 410)).toEqual({ kind: 'failed', disable: true })
  })

  test.each([301, 304, 400, 404, 410, 429, 500, null])('a rule tries %s again', (status) => {
    expect(verdict('chat', status).kind).toBe('retry')
  })
})
