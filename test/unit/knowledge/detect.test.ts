import { expect, test } from 'vitest'
import { questionFingerprint, redactPii } from '../../../server/knowledge/unanswered/unanswered.ts'
import { detectType } from '../../../server/knowledge/parsers/detect.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test.each([
  ['# Başlık\n\nMetin', 'markdown'],
  ['Satır\n\n- bir\n- iki', 'markdown'],
  ['Bak: [burada](https://example.com)', 'markdown'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'markdown'],
  ['<!DOCTYPE html><p>Metin', 'html'],
  ['\n<div><p>Metin</p></div>', 'html'],
  ['Fiyat < 5 ve > 3 <p>', 'text'],
  ['1. kat, 2. daire', 'text'],
  ['Ürün #3 * 2 = 6', 'text'],
])('takes %j for %s', (text, kind) => {
  expect(detectType(bytesOf(text)).kind).toBe(kind)
})

test.each(['](', '\n', '**a', '| ', '- a\n ', '1', '<p', '> '])(
  'judges %j by the megabyte',
  (piece) => {
    const text = `a${piece.repeat(1_000_000 / piece.length)}a`
    expect(detectType(bytesOf(text))).toMatchObject({ text })
  },
)

test.each(['a', '1', '1     ', 'a@', '@', '(', '+', 'a.'])(
  'takes contacts out of a question made of %j',
  (piece) => {
    const question = piece.repeat(4_000 / piece.length)
    expect(redactPii(question).length).toBeLessThanOrEqual(500)
  },
)

test('knows one question in other words, and another question in like words', () => {
  const one = questionFingerprint('Kargo ücreti ne kadar?')
  expect(questionFingerprint('kargo ucretleri nedir')).toBe(one)
  expect(questionFingerprint('Ücret, kargo??')).toBe(one)
  expect(questionFingerprint('Montaj ücreti ne kadar?')).not.toBe(one)
  expect(questionFingerprint('?!')).toBeUndefined()
})
