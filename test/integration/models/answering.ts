import { Agent } from 'undici'
import { systemClock, type Clock } from '../../../server/lib/clock.ts'
import { anthropic } from '../../../server/models/anthropic/anthropic.ts'
import type { GenerateEnd, GenerateRequest, Model, ToolCall } from '../../../server/models/model.ts'
import { openAiCompatible } from '../../../server/models/openai/openai-compatible.ts'
import type { ModelServer } from '../../helpers/servers/model-server.ts'

export const TIMEOUT_MS = 60_000
export const KEY = 'sk-secret-key-of-a-customer'

/** Both protocols, for what must hold on either. */
export const PROTOCOLS = [
  ['openai-compatible', openAiCompatible],
  ['anthropic', anthropic],
] as const
export type Open = (typeof PROTOCOLS)[number][1]

export const ASKED: GenerateRequest = {
  instructions: 'Be kind.',
  messages: [{ role: 'user', content: 'Hello?' }],
  maxOutputTokens: 64,
  locale: 'en',
}

/** A model behind the server, and the connections that it uses. */
export function openModel(
  open: Open,
  server: ModelServer,
  clock: Clock = systemClock,
): { model: Model; close(): Promise<void> } {
  const dispatcher = new Agent()
  const choice = { baseUrl: server.url, apiKey: KEY, model: 'small', imageModel: 'painter' }
  const model = open({ dispatcher, clock, timeoutMs: TIMEOUT_MS }, choice)
  return { model, close: () => dispatcher.destroy() }
}

export interface Said {
  deltas: string[]
  text: string
  calls: ToolCall[]
  end: GenerateEnd | undefined
}

/** Reads an answer to its end. */
export async function listen(
  model: Model,
  request: GenerateRequest = ASKED,
  signal: AbortSignal = new AbortController().signal,
): Promise<Said> {
  const said: Said = { deltas: [], text: '', calls: [], end: undefined }
  for await (const piece of model.generate(request, signal)) {
    if ('delta' in piece) said.deltas.push(piece.delta)
    else if ('call' in piece) said.calls.push(piece.call)
    else said.end = piece.end
  }
  said.text = said.deltas.join('')
  return said
}
