import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SendMessage, Turn } from '../../../server/chat/schema.ts'
import { type Api, Refusal } from '../../../widget/chat/api.ts'
import { createChat } from '../../../widget/chat/chat.ts'
import type { StorageKey, WidgetStorage } from '../../../widget/host/storage.ts'
import { createRecovery } from '../../../widget/session/recovery.ts'

type Send = (id: string, message: SendMessage) => Promise<Turn>

const SESSION = 'ses_0000000000000000000000'

function answer(content: string): Turn {
  const reply = {
    message_id: `msg_${content}`,
    role: 'assistant' as const,
    content,
    citations: [],
    quick_replies: [],
    confidence: 1,
    form: null,
  }
  return { session_id: SESSION, message_id: `msg_before_${content}`, reply, state: 'bot' }
}

/** A chat whose server does, message by message, what `sends` say. */
function startChat(...sends: Send[]) {
  const kept = new Map<StorageKey, string>()
  const storage: WidgetStorage = {
    get: (what) => kept.get(what),
    set: (what, value) => void (value === undefined ? kept.delete(what) : kept.set(what, value)),
    outbox: () =>
      [...kept.keys()]
        .filter((key) => key.startsWith('outbox:'))
        .toSorted()
        .map((key) => kept.get(key) ?? ''),
  }
  const asked: { id: string; message: SendMessage }[] = []
  const api: Api = {
    abort: () => undefined,
    ask: () => Promise.reject(new Error('Nothing else is asked for.')),
    post: () => Promise.reject(new Error('Nothing else is sent.')),
    async send(id, message) {
      asked.push({ id, message: { ...message } })
      const next = sends.shift()
      if (!next) throw new Error('Nobody expected another message.')
      return next(id, message)
    },
  }
  const chat = createChat({
    api,
    storage,
    emit: () => undefined,
    tenant: 'demo',
    language: 'en',
    config: undefined,
    pageUrl: () => 'https://shop.example/',
    isHidden: () => false,
    recover: (...refused) => recovery.recover(...refused),
  })
  const recovery = createRecovery({
    chat,
    storage,
    config: undefined,
    isOver: () => false,
    isOnline: () => false,
  })
  return { chat, asked, storage, recovery }
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

const textsOf = (chat: { lines: { value: { text: string }[] } }) =>
  chat.lines.value.map(({ text }) => text)

test('a message that came too early is counted down and sent automatically, under its id', async () => {
  const { chat, asked, recovery } = startChat(refuse(429, 'rate_limited', 12), say('Hi'))
  const done = chat.ask('Hello')
  await vi.advanceTimersByTimeAsync(0)
  expect(recovery.countdown.value).toBe(12)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(recovery.countdown.value).toBe(7)
  await vi.advanceTimersByTimeAsync(7_000)
  await done
  expect(textsOf(chat)).toEqual(['Hello', 'Hi'])
  expect(asked[1]).toEqual(asked[0])
})

test('a message whose answer is still being made is asked for again without a word', async () => {
  const { chat, asked, recovery } = startChat(refuse(409, 'request_in_progress', 1), say('Hi'))
  const done = chat.ask('Hello')
  await vi.advanceTimersByTimeAsync(500)
  expect(recovery.countdown.value).toBe(0)
  expect(chat.sendError.value).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1_000)
  await done
  expect(asked[1]).toEqual(asked[0])
})

test.each([
  ['cut', 0, 'cut'],
  ['model_failed', 200, 'failed'],
  ['internal', 500, 'failed'],
])(
  'after %s it is tried again, longer and longer, then by the visitor',
  async (code, status, sendError) => {
    const refused = refuse(status, code)
    const refusals = [refused, refused, refused, refused, refused]
    const { chat, asked, storage } = startChat(...refusals, say('Hi'))
    const done = chat.ask('Hello')
    await vi.advanceTimersByTimeAsync(60_000)
    await done
    expect(asked).toHaveLength(5)
    expect(chat.sendError.value).toBe(sendError)
    expect(storage.outbox()).toEqual([expect.stringContaining('Hello')])
    await chat.run()
    expect(chat.sendError.value).toBeUndefined()
    expect(asked.every((attempt) => attempt.id === asked[0]?.id)).toBe(true)
    expect(storage.outbox()).toEqual([])
  },
)

test('without a connection messages wait, and go out once each and in order', async () => {
  const offline = refuse(0, 'offline')
  const { chat, asked } = startChat(offline, offline, say('1'), say('2'))
  await chat.ask('One')
  expect(chat.sendError.value).toBe('offline')
  await chat.ask('Two')
  expect(chat.outbox.value).toHaveLength(2)
  await chat.run()
  expect(textsOf(chat)).toEqual(['One', '1', 'Two', '2'])
  expect(asked.map(({ message }) => message.message)).toEqual(['One', 'One', 'One', 'Two'])
  expect(new Set(asked.map(({ id }) => id)).size).toBe(2)
})

test('a message keeps its body over every try, so that the server knows it again', async () => {
  const { chat, asked, storage } = startChat(refuse(0, 'offline'), say('Hi'))
  await chat.ask('Hello')
  storage.set('session', 'ses_1')
  await chat.run()
  expect(asked[1]).toEqual(asked[0])
})

test('what the server does not take waits no longer', async () => {
  const { chat, storage } = startChat(refuse(422, 'validation_failed'))
  await chat.ask('Hello')
  expect(chat.sendError.value).toBe('refused')
  expect(storage.outbox()).toEqual([])
})

test('a conversation that is gone is started again with the same message', async () => {
  const { chat, asked, storage } = startChat(refuse(404, 'not_found'), say('Hi'))
  storage.set('session', 'ses_gone')
  await chat.ask('Hello')
  expect(asked.map(({ message }) => message.session_id)).toEqual(['ses_gone', undefined])
  expect(asked[1]?.id).not.toBe(asked[0]?.id)
  expect(storage.get('session')).toBe(SESSION)
  expect(storage.outbox()).toEqual([])
})

test('the outbox is kept where another tab has reset the conversation', async () => {
  const { chat, asked } = startChat(refuse(0, 'offline'), say('Hi'))
  await chat.ask('Hello')
  chat.forget(true)
  expect(textsOf(chat)).toEqual([])
  await chat.run()
  expect(textsOf(chat)).toEqual(['Hello', 'Hi'])
  expect(asked).toHaveLength(2)
})

test('lengths are counted in characters, not in their halves', async () => {
  const { chat } = startChat(say('Hi'))
  chat.setDraft(` ${'😀'.repeat(4_000)} `)
  expect(chat.excessLength()).toBe(0)
  expect(chat.canSend()).toBe(true)
  chat.setDraft('😀'.repeat(4_002))
  expect(chat.excessLength()).toBe(2)
  expect(chat.canSend()).toBe(false)
})

test('one message is under way at a time, and the next waits for its answer', async () => {
  const { chat, asked } = startChat(say('Hi'), say('Bye'))
  const done = chat.ask('Hello')
  void chat.ask('And')
  expect(asked).toHaveLength(1)
  await done
  expect(textsOf(chat)).toEqual(['Hello', 'Hi', 'And', 'Bye'])
})
