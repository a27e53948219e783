import { type TestProduct } from './product.ts'

/** An event stream that somebody reads. */
export interface OpenedStream {
  status: number
  /** What came so far. */
  text(): string
  /** Resolves once the text has come. */
  waitFor(text: string): Promise<void>
  /** Resolves with everything once the stream has ended cleanly; rejects when it was cut. */
  end(): Promise<string>
  /** Goes away without a word. */
  leave(): void
}

/** Opens a stream over HTTP and reads it as it comes. */
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
  // Who waits for the end hears of a failure there.
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
