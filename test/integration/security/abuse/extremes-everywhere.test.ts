import { beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { ALWAYS_OPEN, fillWorkspace } from '../access/filled-workspace.ts'
import { type Operation, fill, operationsOf } from '../access/operations.ts'

/** Values as JSON, so that they may be numbers that no JavaScript value has. */
const VALUES = [
  '1.7e308',
  '-1e400',
  '9007199254740993',
  '"9999-12-31T23:59:59.999+14:00"',
  '"0000-01-01T00:00:00+23:59"',
  JSON.stringify('x'.repeat(4_000)),
  String.raw`"\ud800"`,
  String.raw`"a\u0000b"`,
  '"__proto__"',
  '{"__proto__":{"a":1}}',
  '[[[[null]]]]',
  'null',
]
const IN_PATH = ['%00', '%ED%A0%80', '%', 'x'.repeat(2_000), '__proto__', '1e308', '..%2f..%2f']
const QUERIES = ['limit', 'cursor', 'from', 'to', 'since', 'state', 'q', 'tenant_id', 'before']
/** They end what the test works with. */
const ENDING = /\/(?:logout|close|closing)$|\/auth\/password$/
const AT_ONCE = 8

describeOnBothDatabases('whoever may call a route', (database) => {
  let operations: Operation[]
  let own: TestWorkspace
  let visitor: string
  let ids: Record<string, string>
  const product = useProduct(database, {
    settings: { ALLOW_PRIVATE_TARGETS: 'true', LOG_LEVEL: 'silent' },
  })
  beforeAll(async () => {
    const all = operationsOf((await product.call('/api/v1/openapi.json')).body)
    operations = all.filter(({ path, security }) => security.length > 0 && !ENDING.test(path))
    own = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    visitor = await addVisitor(product, own)
    const names = all.flatMap(({ path }) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    )
    const unknown = Object.fromEntries(names.map((name) => [name, 'nothing']))
    ids = { ...unknown, ...(await fillWorkspace(product, own, visitor)) }
  })

  const tokenFor = ({ path }: Operation) => (path.includes('/chatbot/') ? visitor : own.token)

  /** Sends the calls, and returns those that the product answered as its own fault. */
  async function faultsOf(
    calls: readonly { operation: Operation; path: string; raw?: string }[],
  ): Promise<string[]> {
    const faults: string[] = []
    const left = [...calls]
    const send = async () => {
      for (let call = left.pop(); call; call = left.pop()) {
        const { operation, path, raw } = call
        const method = operation.method.toUpperCase()
        const answer = await product.call<{ code?: string }>(path, {
          method,
          token: tokenFor(operation),
          ...(raw === undefined ? {} : { raw }),
        })
        // A model or a receiver that is not there is no fault of the route, nor is a busy machine.
        const isOurs = answer.status === 500 || answer.body?.code === 'internal'
        if (isOurs)
          faults.push(`${operation.id} ${path} ${raw ?? ''}: ${answer.text}`.slice(0, 400))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, send))
    return faults
  }

  test('gets no fault with an extreme in any field of a body', async () => {
    const calls = operations.flatMap((operation) => {
      if (operation.body === undefined || operation.method === 'delete') return []
      const { path, body } = fill(operation, ids)
      return operation.body.all.flatMap((name, at) =>
        // Each field has each kind of value somewhere; each route has all values.
        VALUES.filter((_, index) => (index + at) % 3 === 0).map((value) => ({
          operation,
          path,
          raw: JSON.stringify({ ...body, [name]: 'extreme' }).replace(
            `${JSON.stringify(name)}:"extreme"`,
            `${JSON.stringify(name)}:${value}`,
          ),
        })),
      )
    })
    expect(calls.length).toBeGreaterThan(500)
    expect(await faultsOf(calls)).toEqual([])
  })

  test('gets no fault with an extreme in the address', async () => {
    const reads = operations.filter(({ method }) => method === 'get')
    const inPath = reads
      .filter(({ path }) => path.includes('{'))
      .flatMap((operation) =>
        IN_PATH.map((value) => ({ operation, path: operation.path.replaceAll(/\{\w+\}/g, value) })),
      )
    const inQuery = reads.flatMap((operation) => {
      const { path } = fill(operation, ids)
      return ['%00', '1e308', '9999-12-31', '%ED%A0%80', 'x'.repeat(1_000)].flatMap((value, at) =>
        QUERIES.filter((_, index) => (index + at) % 2 === 0).map((name) => ({
          operation,
          path: `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`,
        })),
      )
    })
    expect(await faultsOf([...inPath, ...inQuery])).toEqual([])
  })
})
