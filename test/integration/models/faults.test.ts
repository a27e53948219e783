import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ModelFailure } from '../../../server/models/model.ts'
import { TestClock } from '../../helpers/clock.ts'
import { type ModelServer, startModelServer } from '../../helpers/servers/model-server.ts'
import { ASKED, KEY, PROTOCOLS, TIMEOUT_MS, listen, openModel } from './answering.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const TEXT = ['one ', 'two ', 'three ', 'four ']
const STREAMED = { ...ASKED, stream: true }
const WHOLE = { ...ASKED, stream: false }
const signal = new AbortController().signal

async function failureOf(work: Promise<unknown>): Promise<ModelFailure> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ModelFailure) return error
  throw new Error('There was no ModelFailure.', { cause: error })
}

describe.each(PROTOCOLS)('%s', (_name, open) => {
  let server: ModelServer
  let clock: TestClock
  let opened: ReturnType<typeof openModel>

  beforeEach(async () => {
    server = await startModelServer()
    clock = new TestClock(NOW)
    opened = openModel(open, server, clock)
  })
  afterEach(async () => {
    await opened.close()
    await server.close()
  })

  test.each([
    [{ text: TEXT, cutAfter: 2 }],
    [{ text: TEXT, endAfter: 2 }],
    [{ text: TEXT, endAfter: 0 }],
    [{ text: TEXT, withoutMarker: true }],
    [{ text: TEXT, brokenAfter: 2 }],
    [{ text: TEXT, errorAfter: 2 }],
  ])('a stream that breaks off is a failure, never a clean end: %o', async (act) => {
    server.act = act
    const failure = await failureOf(listen(opened.model, STREAMED))
    expect(failure).toMatchObject({ kind: 'failed', isTransient: true })
  })

  test.each([[{ text: TEXT, cutAfter: 0 }], [{ text: TEXT, brokenAfter: 0 }], ['drop' as const]])(
    'an answer that breaks off is a failure: %o',
    async (act) => {
      server.act = act
      const failure = await failureOf(listen(opened.model, WHOLE))
      expect(failure).toMatchObject({ kind: 'failed', isTransient: true })
    },
  )

  test.each([
    [408, true],
    [409, true],
    [429, true],
    [500, true],
    [503, true],
    [529, true],
    [400, false],
    [401, false],
    [404, false],
    [307, false],
  ])('status %i is a failure; worth another try: %s', async (status, isTransient) => {
    server.act = { status, headers: { 'retry-after': '1' } }
    const failure = await failureOf(listen(opened.model))
    expect(failure).toMatchObject({ kind: 'failed', isTransient })
    expect(failure.message).toContain(String(status))
  })

  test('no failure tells the key or the address', async () => {
    for (const act of [{ status: 401 }, { status: 500, body: KEY }, 'drop'] as const) {
      server.act = act
      const failure = await failureOf(listen(opened.model))
      const told = `${failure.message} ${failure.stack} ${JSON.stringify(failure)}`
      expect(told).not.toContain(KEY)
      expect(failure.message).not.toContain('127.0.0.1')
    }
  })

  test('nobody at the address is worth another try', async () => {
    const gone = await startModelServer()
    const away = openModel(open, gone)
    await gone.close()
    const failure = await failureOf(listen(away.model))
    expect(failure).toMatchObject({ kind: 'failed', isTransient: true })
    await away.close()
  })

  test.each([['silence' as const], [{ text: TEXT, silentAfter: 0 }]])(
    'a provider that says nothing is given up when the time is over: %o',
    async (act) => {
      server.act = act
      const failing = failureOf(listen(opened.model))
      const [call] = await server.waitFor(1)
      clock.move(TIMEOUT_MS)
      // The head, or the first bytes, may have come after the clock was moved.
      clock.move(TIMEOUT_MS)
      expect(await failing).toMatchObject({ kind: 'timeout', isTransient: true })
      await call?.left
    },
  )

  test('only silence counts, not the length of the answer', async () => {
    server.act = { text: TEXT, silentAfter: 3 }
    const heard: string[] = []
    const failing = failureOf(
      (async () => {
        for await (const piece of opened.model.generate(ASKED, signal)) {
          if ('delta' in piece) heard.push(piece.delta)
          clock.move(TIMEOUT_MS / 2)
          if (heard.length === 3) clock.move(TIMEOUT_MS)
        }
      })(),
    )
    expect(await failing).toMatchObject({ kind: 'timeout' })
    expect(heard).toEqual(TEXT.slice(0, 3))
  })

  test.each([
    ['silence' as const],
    [{ text: TEXT, silentAfter: 0 }],
    [{ text: TEXT, silentAfter: 2 }],
  ])('the signal stops it at once, and the provider sees it: %o', async (act) => {
    server.act = act
    const stop = new AbortController()
    const listening = listen(opened.model, ASKED, stop.signal)
    const [call] = await server.waitFor(1)
    stop.abort()
    expect((await listening).end).toBeUndefined()
    await call?.left
  })

  test('a signal that was there before nothing is sent for', async () => {
    expect((await listen(opened.model, ASKED, AbortSignal.abort())).end).toBeUndefined()
    expect(server.calls).toHaveLength(0)
  })

  test('a reader who leaves in the middle closes the connection', async () => {
    server.act = { text: TEXT, silentAfter: 2 }
    for await (const piece of opened.model.generate(ASKED, signal)) {
      expect(piece).toEqual({ delta: 'one ' })
      break
    }
    await server.calls[0]?.left
  })

  test('an answer of 20 MB is not read ahead of a slow reader', async () => {
    const piece = 'x'.repeat(1_000)
    server.act = { text: Array.from({ length: 20_000 }, () => piece) }
    const pieces = opened.model.generate(STREAMED, signal)[Symbol.asyncIterator]()
    await pieces.next()
    const sentNow = () => server.calls[0]?.sentBytes ?? 0
    let before = -1
    while (sentNow() !== before) {
      before = sentNow()
      await new Promise((done) => setTimeout(done, 200))
    }
    // The sockets of both sides may hold 10 MB; ours is 128 KB at most.
    expect(before).toBeLessThan(14_000_000)
    let length = piece.length
    for (;;) {
      const { value, done } = await pieces.next()
      if (done) break
      if ('delta' in value) length += value.delta.length
    }
    expect(length).toBe(20_000_000)
  })
})
