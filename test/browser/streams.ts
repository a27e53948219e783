import type { Page } from '@playwright/test'

interface Ending {
  content: string
  citations?: object[]
  quick_replies?: string[]
  form?: 'lead' | 'appointment'
}

/** The next answer, piece by piece as the test wants it. */
export interface Stream {
  /** Sends pieces, each as one event, all of them in one task of the page. */
  send(...deltas: string[]): Promise<void>
  finish(ending: Ending): Promise<void>
}

/** Lets a test write the next answer of the page's chat by hand. */
export async function holdAnswer(page: Page, role = 'assistant'): Promise<Stream> {
  await page.evaluate(() => {
    const real = window.fetch
    const encoder = new TextEncoder()
    let begin: (controller: ReadableStreamDefaultController<Uint8Array>) => void
    const begun = new Promise<ReadableStreamDefaultController<Uint8Array>>(
      (resolve) => (begin = resolve),
    )
    const answer = async (text: string, isLast: boolean): Promise<void> => {
      const controller = await begun
      controller.enqueue(encoder.encode(text))
      if (isLast) controller.close()
    }
    Object.assign(window, { answer })
    window.fetch = async (...given: Parameters<typeof fetch>) => {
      const [address] = given
      if (typeof address !== 'string' || !address.endsWith('/chatbot/message'))
        return real(...given)
      window.fetch = real
      const body = new ReadableStream<Uint8Array>({ start: (controller) => begin(controller) })
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
    }
  })
  const write = (events: object[], isLast: boolean): Promise<void> =>
    page.evaluate(({ text, last }) => Reflect.get(window, 'answer')(text, last), {
      text: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
      last: isLast,
    })
  return {
    send: (...deltas) =>
      write(
        deltas.map((delta) => ({ delta })),
        false,
      ),
    async finish({ content, citations = [], quick_replies = [], form }) {
      const id = `msg_${Math.random().toString(36).slice(2)}`
      const reply = { message_id: `${id}a`, role, content, citations, quick_replies, confidence: 1 }
      const session = await page.evaluate(() => localStorage.getItem('sohbet:demo:session'))
      const turn = { session_id: session ?? 'ses_0000000000000000000000', message_id: `${id}v` }
      const rest = { reply: { ...reply, form: form ?? null }, state: 'bot', done: true }
      await write([{ ...turn, ...rest }], true)
    },
  }
}

/** Every announcement to screen readers from now on, in order. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  const said = await page.evaluateHandle(() => {
    const lines: string[] = []
    const region = document
      .querySelector('sohbet-widget')
      ?.shadowRoot?.querySelector('[role=status]')
    if (!region) throw new Error('Nothing is announced.')
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const { textContent } of addedNodes) lines.push(textContent ?? '')
    }).observe(region, { childList: true, characterData: true, subtree: true })
    return lines
  })
  return () => said.jsonValue()
}
