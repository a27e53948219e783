import { setTimeout as sleep } from 'node:timers/promises'

/** An event of a live stream, as in `docs/live.md`. */
export interface SeenEvent {
  name: string
  id: string | undefined
  data: Record<string, unknown>
}

/** A reader of a live stream. */
export interface LiveReader {
  status: number
  headers: Headers
  /** The events so far, without comments. */
  events: SeenEvent[]
  /** The `Last-Event-ID` of a reconnect. */
  lastId(): string | undefined
  /** Resolves with the first event that matches. */
  waitFor(fits: (event: SeenEvent) => boolean, what?: string): Promise<SeenEvent>
  /** Resolves once the server has ended the stream; `clean` is false for an aborted one. */
  ended: Promise<{ clean: boolean }>
  /** Closes the connection. */
  close(): void
}

const WAIT_TIMEOUT_MS = 40_000

/** Opens a live stream over HTTP and parses it as it arrives. */
export async function openLive(
  base: string,
  path: string,
  options: { token?: string; lastEventId?: string; headers?: Record<string, string> } = {},
): Promise<LiveReader> {
  const leaving = new AbortController()
  const response = await fetch(base + path, {
    signal: leaving.signal,
    headers: {
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...(options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId }),
      ...options.headers,
    },
  })
  const events: SeenEvent[] = []
  const waiting = new Set<() => void>()
  const read = async () => {
    const decoder = new TextDecoder()
    let rest = ''
    const reader = response.body?.getReader()
    for (;;) {
      const { done = true, value: chunk } = (await reader?.read()) ?? {}
      if (done) return
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const event = parse(part)
        if (event) events.push(event)
      }
      for (const look of waiting) look()
    }
  }
  const ended = read().then(
    () => ({ clean: true }),
    () => ({ clean: false }),
  )
  return {
    status: response.status,
    headers: response.headers,
    events,
    lastId: () => events.findLast(({ id }) => id !== undefined)?.id,
    ended,
    close: () => leaving.abort(),
    async waitFor(fits, what = 'the event') {
      const found = Promise.withResolvers<SeenEvent>()
      const look = () => {
        const event = events.find(fits)
        if (event) found.resolve(event)
      }
      waiting.add(look)
      look()
      const late = new AbortController()
      const seen = () => JSON.stringify(events.slice(-20))
      const giveUp = async () => {
        const over = ended.then(() => 'over')
        const why = await Promise.race([sleep(WAIT_TIMEOUT_MS, 'late', late), over])
        look()
        found.reject(new Error(`${what} never came (${why}): ${seen()}`))
      }
      giveUp().catch(() => undefined)
      try {
        return await found.promise
      } finally {
        waiting.delete(look)
        late.abort()
      }
    },
  }
}

function parse(part: string): SeenEvent | undefined {
  const fields = new Map(
    part.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)] as const
    }),
  )
  const name = fields.get('event')
  const data = fields.get('data')
  if (name === undefined || data === undefined) return undefined
  return { name, id: fields.get('id'), data: JSON.parse(data) }
}
