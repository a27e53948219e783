import { describe, expect, test } from 'vitest'
import {
  isAllowedAddress,
  checkTarget,
  MAX_URL_LENGTH,
  targetPolicy,
} from '../../../server/net/target.ts'
import { HOSTILE_HOSTS } from '../../helpers/hostile/urls.ts'

const strict = targetPolicy({ allowPrivateTargets: false, allowedTargetCidrs: [] })
const open = targetPolicy({ allowPrivateTargets: true, allowedTargetCidrs: [] })
const listed = targetPolicy({
  allowPrivateTargets: false,
  allowedTargetCidrs: ['10.1.0.0/16', 'fd00:1::/32', '127.0.0.1'],
})

describe('a hostile URL is refused when it is saved', () => {
  test.each(HOSTILE_HOSTS)('host %s', (host) => {
    expect(checkTarget(`https://${host}/`, strict).ok).toBe(false)
    expect(checkTarget(`http://${host}/`, strict).ok).toBe(false)
    expect(checkTarget(`https://${host}:8443/latest/meta-data/`, strict).ok).toBe(false)
  })

  test.each([
    ['http://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://127.0.0.1:6379/', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['ws://example.com/', 'scheme'],
    ['https://user:pass@example.com/', 'credentials'],
    ['https://user@example.com/', 'credentials'],
    ['https://example.com@127.0.0.1/', 'credentials'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com:80/', 'port'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:1023/', 'port'],
    ['https://example.com:6379/', 'port'],
    ['https://example.com:27017/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://example.com:65536/', 'unreadable'],
    ['example.com/hook', 'unreadable'],
    ['//example.com/hook', 'unreadable'],
    ['https://', 'unreadable'],
    ['', 'unreadable'],
    ['https://example.com/a b', 'unreadable'],
    ['https://example.com/\r\nX-Injected: 1', 'unreadable'],
    ['https://exa\tmple.com/', 'unreadable'],
    [' https://example.com/', 'unreadable'],
    ['https://example.com/\0', 'unreadable'],
    [`https://example.com/${'a'.repeat(MAX_URL_LENGTH)}`, 'too_long'],
    [`https://example.com/${'ğ'.repeat(MAX_URL_LENGTH / 4)}`, 'too_long'],
  ])('%j for its %s', (url, refusal) => {
    expect(checkTarget(url, strict)).toEqual({ ok: false, refusal })
  })
})

test.each([
  ['https://example.com/hook?a=1', 'https://example.com/hook?a=1'],
  ['HTTPS://EXAMPLE.com:443/ç', 'https://example.com/%C3%A7'],
  ['https://example.com./', 'https://example.com/'],
  ['https://bücher.example.com:8443/', 'https://xn--bcher-kva.example.com:8443/'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://[2606:4700::1111]:1024/', 'https://[2606:4700::1111]:1024/'],
  ['https://127.0.0.1.nip.io/', 'https://127.0.0.1.nip.io/'],
])('a public URL %s is kept as %s', (given, kept) => {
  const judged = checkTarget(given, strict)
  expect(judged.ok && judged.url.href).toBe(kept)
})

test('for development, scheme, port and address may be anything, and nothing else may', () => {
  for (const url of ['http://localhost:80/', 'http://127.0.0.1:6379/', 'https://[::1]/']) {
    expect(checkTarget(url, open).ok, url).toBe(true)
  }
  for (const url of ['http://a:b@localhost/', 'http://localhost/#a', 'file:///etc/passwd']) {
    expect(checkTarget(url, open).ok, url).toBe(false)
  }
})

test('networks that the operator lists are reached by any port, and no other network is', () => {
  for (const url of ['http://10.1.2.3/', 'http://10.1.2.3:22/', 'http://[fd00:1::5]:81/']) {
    expect(checkTarget(url, listed).ok, url).toBe(true)
  }
  for (const url of ['http://10.2.2.3/', 'https://10.2.2.3/', 'http://8.8.8.8/']) {
    expect(checkTarget(url, listed).ok, url).toBe(false)
  }
})

test('a name with a scheme or port out of the rules must lead into a listed network', () => {
  expect(checkTarget('http://hooks.internal:81/', listed).ok).toBe(true)
  expect(isAllowedAddress('10.1.2.3', listed, true)).toBe(true)
  expect(isAllowedAddress('::ffff:10.1.2.3', listed, true)).toBe(true)
  expect(isAllowedAddress('8.8.8.8', listed, true)).toBe(false)
})

test('what is no address is never allowed', () => {
  for (const text of ['', 'localhost', '1', '0x7f.1', '8.8.8.8.8', '8.8.8.8 ']) {
    expect(isAllowedAddress(text, open), text).toBe(false)
  }
})
