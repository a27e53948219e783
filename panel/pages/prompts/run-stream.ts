import type { RunAnswer } from '../../../server/prompts/schema.ts'
import type { z } from 'zod'
import { ApiError, type Api } from '../../app/api/api.ts'

type Answer = z.infer<typeof RunAnswer>

/** The last event of a run's stream. */
export type RunEnd = Pick<
  Answer,
  'run_id' | 'credits_used' | 'credits_remaining' | 'finish_reason' | 'images'
>

interface StreamEvent extends Partial<RunEnd> {
  delta?: string
  done?: boolean
  error?: { code: string; detail: string }
}

/**
 * Runs a prompt and calls `hear` with each piece of the answer. Returns the last event; `undefined`
 * for a stream that breaks off. Throws `ApiError`.
 */
export async function runPrompt(
  api: Api,
  body: object,
  { signal, hear }: { signal: AbortSignal; hear: (delta: string) => void },
): Promise<RunEnd | undefined> {
  const response = await api.open('POST', 'prompts/execute', {
    body: { ...body, stream: true },
    signal,
  })
  for await (const event of eventsOf(response)) {
    if (event.error) throw new ApiError(event.error)
    if (event.delta !== undefined) hear(event.delta)
    const { run_id, credits_used = 0, credits_remaining = 0, finish_reason = 'stop' } = event
    if (event.done && run_id !== undefined) {
      const end = { run_id, credits_used, credits_remaining, finish_reason }
      return event.images ? { ...end, images: event.images } : end
    }
  }
  return undefined
}

/** Yields the data of server-sent events. */
async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  let waiting = ''
  for (;;) {
    const { done, value } = await reader.read()
    waiting += decoder.decode(value, { stream: !done })
    const blocks = waiting.split('\n\n')
    waiting = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length))
        .join('\n')
      if (data.trim() !== '') yield JSON.parse(data)
    }
    if (done) return
  }
}
