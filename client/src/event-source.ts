/** An event of `text/event-stream`. */
export interface StreamEvent {
  name: string
  data: string
  id: string | undefined
}

/** The service sends a comment after 15 s of silence: a stream that is silent for longer is dead. */
const MAX_SILENCE_MS = 45_000

/**
 * Reads the events of a body. Throws when the connection breaks or falls silent; a body that ends is the
 * end of the events.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let event = emptyEvent()
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader)
      text += decoder.decode(value, { stream: !done })
      // A lone CR at the end may be half of a CRLF.
      const lines = text.split(/\r\n|\n|\r(?!$)/)
      text = lines.pop() ?? ''
      for (const line of lines) {
        if (line !== '') readLine(event, line)
        else {
          if (event.data.length > 0) yield { ...event, data: event.data.join('\n') }
          event = emptyEvent()
        }
      }
      if (done) return
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

interface OpenEvent {
  name: string
  data: string[]
  id: string | undefined
}

function emptyEvent(): OpenEvent {
  return { name: 'message', data: [], id: undefined }
}

function readLine(event: OpenEvent, line: string): void {
  const colon = line.indexOf(':')
  const field = colon === -1 ? line : line.slice(0, colon)
  const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
  if (field === 'data') event.data.push(value)
  else if (field === 'event') event.name = value
  else if (field === 'id') event.id = value
}

async function withinSilence(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The stream fell silent.')), MAX_SILENCE_MS)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}
