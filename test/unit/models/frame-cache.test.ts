import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OpenAiParser } from '../../../server/models/openai/openai-parser.ts'
import { DeltaFrameCache } from '../../../server/models/http/frame-cache.ts'

const CONTENT = /"content"\s*:\s*/
const read = (frame: string): string | undefined => {
  const { delta }: { delta: { content?: unknown } } = JSON.parse(frame)
  return typeof delta.content === 'string' ? delta.content : undefined
}
const frameOf = (content: string, more: object = {}) =>
  JSON.stringify({ id: 'c-1', ...more, delta: { content }, finish: null })

function taught(text: string, frame = frameOf(text)): DeltaFrameCache {
  const frames = new DeltaFrameCache(CONTENT)
  frames.learn(frame, text, read)
  return frames
}

test('the text of a frame like the one before is found, however it is written', () => {
  const frames = taught('one')
  for (const text of [
    'two',
    '',
    ' ',
    'ığ',
    '"quoted"',
    'a\\b\n',
    '\u2028',
    '👋',
    '"}',
    '","x":"',
  ]) {
    expect(frames.textOf(frameOf(text))).toBe(text)
  }
  expect(frames.textOf(frameOf('x').replace('"x"', '"\\u0131\\n"'))).toBe('ı\n')
})

test('a frame that differs in anything else is left to be parsed', () => {
  const frames = taught('one')
  for (const other of [
    frameOf('two', { id: 'c-2' }),
    frameOf('two', { error: {} }),
    frameOf('two').replace('null', '"stop"'),
    frameOf('two').replace('"two"', 'null'),
    frameOf('two').replace('"two"', '"two","role":"x"'),
    frameOf('two').replace('"two"', '"two"}, "delta": {"content": "three"'),
    frameOf('two').replace('"two"', '"two'),
    frameOf('two').slice(0, -1),
    '',
    '[DONE]',
  ]) {
    expect(frames.textOf(other)).toBeUndefined()
  }
})

test('nothing is learnt where the name does not lead to the text', () => {
  const other = '{"content":"one","delta":{"content":"one"}}'
  expect(taught('one', other).textOf(other)).toBeUndefined()
  const twice = '{"delta":{"content":"one","content":"one"}}'
  expect(taught('one', twice).textOf(twice)).toBeUndefined()
  const escaped = '{"delta":{"content":"\\u006fne"}}'
  expect(taught('one', escaped).textOf(escaped)).toBeUndefined()
})

test('a stream of chunks reads as the same text as each chunk parsed alone', () => {
  const chunk = fc.record({
    content: fc.oneof(fc.string({ unit: 'binary' }), fc.constant(null), fc.constantFrom('a', '"')),
    finish_reason: fc.constantFrom(null, 'stop'),
    style: fc.constantFrom(0, 1),
    id: fc.constantFrom('one', 'one', 'one', 'two'),
  })
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 1, maxLength: 12 }), (chunks) => {
      const answer = new OpenAiParser({ messages: [], maxOutputTokens: 9, locale: 'en' }, 'm')
      for (const { content, finish_reason, style, id } of chunks) {
        const whole = { id, choices: [{ index: 0, delta: { content }, finish_reason }] }
        expect(answer.parseEvent(JSON.stringify(whole, null, style))).toBe(content ?? '')
      }
    }),
  )
})
