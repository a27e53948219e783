import { OPERATOR_TOKEN } from '../helpers/product.ts'
import { type Operation, fill } from '../integration/security/access/operations.ts'

/** Numbers below 1 that are the same for the same seed (mulberry32). */
export type Chance = () => number

export function chanceOf(seed: number): Chance {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A workspace with one of everything, and the tokens of who may call. */
export interface Target {
  owner: string
  visitor: string
  ids: Record<string, string>
}

export interface GeneratedRequest {
  operation: Operation
  method: string
  path: string
  headers: Record<string, string>
  raw: string | undefined
}

/** Values as JSON, so that they may be numbers that no JavaScript value has. */
const VALUES = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e308',
  '-1e400',
  '9007199254740993',
  '""',
  '" "',
  '"a"',
  '"2026-02-30"',
  '"9999-12-31T23:59:59.999+14:00"',
  '"https://127.0.0.1:9/\\u0000"',
  '"javascript:alert(1)"',
  '"\\ud800"',
  '"a\\u0000b"',
  '"İıÇ😀"',
  '"%s%n{{x}}${y}"',
  '"\' or 1=1 --"',
  '"__proto__"',
  '{}',
  '{"__proto__":{"a":1}}',
  '{"type":"object","properties":{"a":{"$ref":"#"}}}',
  '[]',
  '[[[[null]]]]',
  '["a","a"]',
  '[{}]',
  JSON.stringify('x'.repeat(4_000)),
]
const IN_ADDRESS = ['%00', '%ED%A0%80', '%', '-1', '1e308', '__proto__', '..%2f', '9999-12-31', 'ü']
const QUERIES =
  'limit cursor from to since until state q tenant_id before after format order type kind days'
const TYPES = ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'a/b;c', '']
const BODIES = ['', '{', '[]', 'null', '"', '{"a":1}x', '\u0000', '{"a":'.repeat(500)]

/** Of requests of each kind: the others are as the description of the routes has them. */
const SHARES = {
  strange: 0.55,
  strangeId: 0.1,
  strangeQuery: 0.3,
  strangeBody: 0.04,
  stranger: 0.08,
} as const

/** Makes a request of an operation: mostly what its route takes, with something that does not fit. */
export function generateRequest(
  operation: Operation,
  { owner, visitor, ids }: Target,
  chance: Chance,
): GeneratedRequest {
  const pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[], none: Item): Item =>
    items[Math.floor(chance() * items.length)] ?? none
  const isStrange = chance() < SHARES.strange
  const filled = fill(operation, ids)
  let { path } = filled
  if (isStrange && chance() < SHARES.strangeId) {
    path = operation.path.replaceAll(/\{\w+\}/g, () => pick(IN_ADDRESS, '-'))
  }
  if (isStrange && chance() < SHARES.strangeQuery) {
    const name = pick(QUERIES.split(' '), 'q')
    path += `${path.includes('?') ? '&' : '?'}${name}=${pick(IN_ADDRESS, '-')}`
  }
  const headers: Record<string, string> = {}
  const token = tokenOf(operation, { owner, visitor }, chance)
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  const method = operation.method.toUpperCase()
  if (operation.body === undefined || filled.body === undefined) {
    return { operation, method, path, headers, raw: undefined }
  }
  if (isStrange && chance() < SHARES.strangeBody) {
    headers['content-type'] = pick(TYPES, '')
    return { operation, method, path, headers, raw: pick(BODIES, '') }
  }
  const fields = new Map(
    Object.entries(filled.body).map(([name, value]) => [name, JSON.stringify(value)]),
  )
  const changes = isStrange ? 1 + Math.floor(chance() * 3) : 0
  for (let change = 0; change < changes; change += 1) {
    const name = pick([...operation.body.all, 'unknown'], 'unknown')
    if (chance() < 0.1) fields.delete(name)
    else fields.set(name, pick(VALUES, 'null'))
  }
  const members = [...fields].map(([name, json]) => `${JSON.stringify(name)}:${json}`)
  return { operation, method, path, headers, raw: `{${members.join(',')}}` }
}

function tokenOf(
  { path }: Operation,
  { owner, visitor }: Pick<Target, 'owner' | 'visitor'>,
  chance: Chance,
): string | undefined {
  if (chance() < SHARES.stranger) return chance() < 0.5 ? undefined : 'not-a-token'
  if (path.includes('/operator')) return OPERATOR_TOKEN
  return path.includes('/chatbot/') ? visitor : owner
}
