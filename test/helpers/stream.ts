import { type TestProduct } from './product.ts'

/** A reader of an event stream. */
export interface OpenedStream {
  status: number
  /** The text so far. */
  text(): string
  /** Resolves once the text has arrived. */
  waitFor(text: string): Promise<void>
  /** Resolves with the whole text at the end of the stream; rejects when the stream is aborted. */
  end(): Promise<string>
  /** Aborts the connection. */
  leave(): void
}

/** Opens a stream over HTTP and reads it as it arrives. */
export async function openStream(
  product: Pick<TestProduct, 'url'>,
  path: string,
  init: RequestInit,
): Promise<OpenedStream> {
  const leaving = new AbortController()
  const response = await fetch(product.url + path, { ...init, signal: leaving.signal })
  let text = ''
  const waiting: { text: string; done: () => void }[] = []
  const read = async () => {
    const decoder = new TextDecoder()
    const reader = response.body?.getReader()
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return text
      text += decoder.decode(value, { stream: true })
      for (const wait of waiting) if (text.includes(wait.text)) wait.done()
    }
  }
  const ended = read()
  // `end` reports the failure to its caller.
  ended.catch(() => undefined)
  return {
    status: response.status,
    text: () => text,
    waitFor: async (wanted) => {
      if (text.includes(wanted)) return
      const come = new Promise<void>((done) => waiting.push({ text: wanted, done }))
      await Promise.race([come, ended])
      if (!text.includes(wanted)) throw new Error(`It ended without ${wanted}: ${text}`)
    },
    end: () => ended,
    leave: () => leaving.abort(),
  }
}
