import { afterEach, expect, test, vi } from 'vitest'
import { batch, effect, signal } from '../../../widget/runtime/signals.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('an effect runs at once, and again after each change of what it read', () => {
  const name = signal('Ada')
  const heard: string[] = []
  const end = effect(() => {
    heard.push(name.value)
  })
  name.value = 'Ada'
  name.value = 'Lin'
  end()
  name.value = 'Mia'
  expect(heard).toEqual(['Ada', 'Lin'])
})

test('peeking follows nothing', () => {
  const count = signal(1)
  const heard: number[] = []
  effect(() => {
    heard.push(count.peek())
  })
  count.value = 2
  expect(heard).toEqual([1])
})

test('several changes at once are followed once, when the last is made', () => {
  const first = signal('a')
  const second = signal('b')
  const heard: string[] = []
  effect(() => {
    heard.push(first.value + second.value)
  })
  const answer = batch(() => {
    first.value = 'c'
    batch(() => (second.value = 'd'))
    return heard.length
  })
  expect(answer).toBe(1)
  expect(heard).toEqual(['ab', 'cd'])
})

test('an effect that changes a signal runs the readers of that signal, itself last', () => {
  const asked = signal(0)
  const answered = signal(0)
  const heard: string[] = []
  effect(() => {
    heard.push(`asked ${asked.value}`)
    answered.value = asked.value
  })
  effect(() => {
    heard.push(`answered ${answered.value}`)
  })
  asked.value = 1
  expect(heard).toEqual(['asked 0', 'answered 0', 'asked 1', 'answered 1'])
})

test('what an effect returns cleans up before the next time and at the end', () => {
  const on = signal(true)
  const heard: string[] = []
  const end = effect(() => {
    const was = on.value
    heard.push(`on ${was}`)
    return () => void heard.push(`off ${was}`)
  })
  on.value = false
  end()
  end()
  expect(heard).toEqual(['on true', 'off true', 'on false', 'off false'])
})

test('an effect that fails is reported and keeps nobody else from following', () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  const count = signal(0)
  const heard: number[] = []
  effect(() => {
    if (count.value === 1) throw new Error('once')
  })
  effect(() => {
    heard.push(count.value)
  })
  count.value = 1
  count.value = 2
  expect(heard).toEqual([0, 1, 2])
  expect(reported).toEqual([new Error('once')])
})
