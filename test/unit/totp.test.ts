import { describe, expect, test } from 'vitest'
import { describeDevice } from '../../server/lib/device.ts'
import { findTimeStep, timeStep, toBase32, totp } from '../../server/platform/two-factor/totp.ts'

const SECRET = Buffer.from('12345678901234567890')

describe('a time-based code', () => {
  // RFC 6238, appendix B, the rows of SHA-1.
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at second %i is %s', (seconds, code) => {
    expect(totp(SECRET, timeStep(seconds * 1_000), 8)).toBe(code)
    expect(totp(SECRET, timeStep(seconds * 1_000))).toBe(code.slice(2))
  })

  test('is right one step early and late, and never twice', () => {
    const now = 1_111_111_111_000
    const present = timeStep(now)
    const find = (step: number, lastStep = 0) =>
      findTimeStep(SECRET, totp(SECRET, step), { now, lastStep })
    expect([-2, -1, 0, 1, 2].map((offset) => find(present + offset))).toEqual([
      undefined,
      present - 1,
      present,
      present + 1,
      undefined,
    ])
    expect(find(present, present)).toBeUndefined()
    expect(find(present - 1, present)).toBeUndefined()
    expect(find(present + 1, present)).toBe(present + 1)
  })

  // RFC 4648, section 10, without padding.
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('has a secret that apps read: %j is %j', (text, base32) => {
    expect(toBase32(Buffer.from(text))).toBe(base32)
  })
})

describe('a device', () => {
  test.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0',
      'Firefox on macOS',
    ],
    ['curl/8.5.0', 'curl'],
    ['<b>', 'Unknown device'],
    [undefined, 'Unknown device'],
  ])('is named from %j', (userAgent, name) => {
    expect(describeDevice(userAgent)).toBe(name)
  })
})
