import { afterEach, expect, test, vi } from 'vitest'
import { readEvents } from '../../../widget/chat/event-stream.ts'

afterEach(() => {
  vi.useRealTimers()
})

function streamOf(chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(
          typeof chunk === 'string' ? encoder.encode(chunk) : Uint8Array.from(chunk),
        )
      controller.close()
    },
  })
}

async function eventsOf(chunks: (string | Uint8Array)[]): Promise<string[]> {
  const events: string[] = []
  await readEvents(streamOf(chunks), ({ data }) => {
    events.push(data)
    return data === 'last'
  })
  return events
}

test('events arrive whole however the network cuts them', async () => {
  const bytes = [...new TextEncoder().encode('data: çay\n\ndata: kahve\r\n\r\n')]
  expect(await eventsOf(bytes.map((byte) => Uint8Array.of(byte)))).toEqual(['çay', 'kahve'])
})

test('heartbeats are passed over', async () => {
  expect(await eventsOf([': still here\n\n', 'data: a\n\n'])).toEqual(['a'])
})

test('an event that was cut off never arrives', async () => {
  expect(await eventsOf(['data: a\n\ndata: hal'])).toEqual(['a'])
})

test('nothing is read after the last event', async () => {
  expect(await eventsOf(['data: last\n\n', 'data: more\n\n'])).toEqual(['last'])
})

test('an event has its name and its id', async () => {
  const events: object[] = []
  const chunk = 'retry: 2000\nevent: message\nid: 5\ndata: {"a":\ndata: 1}\n\n'
  await readEvents(streamOf([chunk]), (event) => void events.push(event))
  expect(events).toEqual([{ retry: '2000', event: 'message', id: '5', data: '{"a":\n1}' }])
})

test('a connection that died while the phone slept is given up within a second of waking', async () => {
  vi.useFakeTimers()
  let isOver = false
  const silent = new ReadableStream<Uint8Array>()
  const reading = readEvents(silent, () => undefined).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(isOver).toBe(false)
  // The clock goes on, and no timer with it.
  vi.setSystemTime(Date.now() + 600_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isOver).toBe(true)
  await reading
})

test('a server that says nothing is given up, and a heartbeat is something', async () => {
  vi.useFakeTimers()
  let isOver = false
  let say = (): void => undefined
  const beating = new ReadableStream<Uint8Array>({
    start(controller) {
      say = () => controller.enqueue(new TextEncoder().encode(': still here\n\n'))
    },
  })
  const reading = readEvents(beating, () => undefined).then(() => (isOver = true))
  for (let beat = 0; beat < 4; beat++) {
    await vi.advanceTimersByTimeAsync(40_000)
    say()
  }
  await vi.advanceTimersByTimeAsync(44_000)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(isOver).toBe(true)
  await reading
})
