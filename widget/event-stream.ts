/** A server that has said nothing for this long is gone: heartbeats come every 15 s. */
const LONGEST_SILENCE_MS = 45_000

/**
 * Hands the data of every event to `receive` until it returns true, the stream ends, or the server
 * falls silent. The answer's connection is closed in any case.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  receive: (data: string) => boolean,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const silence = setTimeout(() => void reader.cancel(), LONGEST_SILENCE_MS)
    const { done, value } = await reader.read().finally(() => clearTimeout(silence))
    if (done) return
    const events = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = [...event.matchAll(/^data: ?(.*)$/gm)].map((line) => line[1]).join('\n')
      if (data && receive(data)) return void reader.cancel()
    }
  }
}
