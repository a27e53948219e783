/** After this silence the connection is presumed dead: heartbeats come every 15 s. */
const SILENCE_TIMEOUT_MS = 45_000
const CHECK_INTERVAL_MS = 1_000

/** One event by its fields: `id`, `event`, `data`. */
export type StreamedEvent = Record<string, string> & { data: string }

/**
 * Hands every event with data to `receive` until it returns true, the stream ends, or the server
 * falls silent. The answer's connection is closed in any case.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  receive: (event: StreamedEvent) => boolean | undefined,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const asked = Date.now()
    // By the clock: the time that a phone slept counts, and the timer runs as soon as it wakes.
    const silence = setInterval(() => {
      if (Date.now() - asked > SILENCE_TIMEOUT_MS) void reader.cancel()
    }, CHECK_INTERVAL_MS)
    const { done, value } = await reader.read().finally(() => clearInterval(silence))
    if (done) return
    const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event: StreamedEvent = { data: '' }
      for (const [, name = '', text = ''] of block.matchAll(/^(\w+): ?(.*)$/gm))
        event[name] = event[name] ? `${event[name]}\n${text}` : text
      if (event.data && receive(event)) return void reader.cancel()
    }
  }
}
