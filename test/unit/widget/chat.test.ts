import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SendMessage, Turn } from '../../../server/chat/schema.ts'
import { type Api, Refusal } from '../../../widget/api.ts'
import { createChat } from '../../../widget/chat.ts'
import type { Kept, Memory } from '../../../widget/memory.ts'

type Send = (id: string, message: SendMessage) => Promise<Turn>

const SESSION = 'ses_0000000000000000000000'

function answer(content: string): Turn {
  const reply = {
    message_id: 'msg_1',
    role: 'assistant' as const,
    content,
    citations: [],
    quick_replies: [],
    confidence: 1,
    form: null,
  }
  return { session_id: SESSION, message_id: 'msg_0', reply, state: 'bot' }
}

/** A chat whose server does, message by message, what `sends` say. */
function startChat(...sends: Send[]) {
  const kept = new Map<Kept, string>()
  const memory: Memory = {
    get: (what) => kept.get(what),
    set: (what, value) => void (value === undefined ? kept.delete(what) : kept.set(what, value)),
  }
  const asked: { id: string; message: SendMessage }[] = []
  const api: Api = {
    abort: () => undefined,
    async send(id, message) {
      asked.push({ id, message })
      const next = sends.shift()
      if (!next) throw new Error('Nobody expected another message.')
      return next(id, message)
    },
    history: async () => [],
    openSession: async () => SESSION,
    sendLead: async () => ({ ...LEAD }),
  }
  const chat = createChat({
    api,
    memory,
    emit: () => undefined,
    tenant: 'demo',
    language: 'en',
    config: undefined,
    pageUrl: () => 'https://shop.example/',
  })
  return { chat, asked, memory }
}

const LEAD = {
  lead_id: 'lead_1',
  chatbot_id: 'bot_1',
  session_id: SESSION,
  sector: '',
  name: '',
  phone: '',
  email: '',
  interest: '',
  source: 'widget_form',
  captured_at: '',
  confidence: 1,
}

const refuse =
  (status: number, code: string, retryAfter?: number): Send =>
  () =>
    Promise.reject(new Refusal(status, code, {}, retryAfter))
const say =
  (content: string): Send =>
  () =>
    Promise.resolve(answer(content))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a message that came too early is counted down and sent by itself, under its id', async () => {
  const { chat, asked } = startChat(refuse(429, 'rate_limited', 12), say('Hi'))
  const done = chat.ask('Hello')
  await vi.advanceTimersByTimeAsync(0)
  expect(chat.countdown.value).toBe(12)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(chat.countdown.value).toBe(7)
  await vi.advanceTimersByTimeAsync(7_000)
  await done
  expect(chat.said.value.map(({ text }) => text)).toEqual(['Hello', 'Hi'])
  expect(asked[1]).toEqual(asked[0])
})

test('a message whose answer is still being made is asked for again without a word', async () => {
  const { chat, asked } = startChat(refuse(409, 'request_in_progress', 1), say('Hi'))
  const done = chat.ask('Hello')
  await vi.advanceTimersByTimeAsync(500)
  expect(chat.countdown.value).toBe(0)
  expect(chat.trouble.value).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1_000)
  await done
  expect(asked[1]).toEqual(asked[0])
})

test.each([
  ['cut', 0, 'cut'],
  ['offline', 0, 'offline'],
  ['model_failed', 200, 'failed'],
  ['internal', 500, 'failed'],
])('after %s the visitor can try again under the same id', async (code, status, trouble) => {
  const { chat, asked, memory } = startChat(refuse(status, code), say('Hi'))
  await chat.ask('Hello')
  expect(chat.trouble.value).toBe(trouble)
  expect(chat.canRetry()).toBe(true)
  await chat.retry()
  expect(chat.trouble.value).toBeUndefined()
  expect(asked[1]).toEqual(asked[0])
  expect(memory.get('pending')).toBeUndefined()
})

test('a conversation that is gone is begun anew with the same message', async () => {
  const { chat, asked, memory } = startChat(refuse(404, 'not_found'), say('Hi'))
  memory.set('session', 'ses_gone')
  await chat.ask('Hello')
  expect(asked.map(({ message }) => message.session_id)).toEqual(['ses_gone', undefined])
  expect(asked[1]?.id).not.toBe(asked[0]?.id)
  expect(memory.get('session')).toBe(SESSION)
})

test('lengths are counted in characters, not in their halves', async () => {
  const { chat } = startChat(say('Hi'))
  chat.setDraft(` ${'😀'.repeat(4_000)} `)
  expect(chat.surplus()).toBe(0)
  expect(chat.canSend()).toBe(true)
  chat.setDraft('😀'.repeat(4_002))
  expect(chat.surplus()).toBe(2)
  expect(chat.canSend()).toBe(false)
})

test('one message is under way at a time, and the next draft waits', async () => {
  const { chat, asked } = startChat(say('Hi'))
  const done = chat.ask('Hello')
  chat.setDraft('And')
  await chat.askDraft()
  await done
  expect(asked).toHaveLength(1)
  expect(chat.draft.value).toBe('And')
})
