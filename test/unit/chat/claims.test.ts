import { describe, expect, test } from 'vitest'
import { AllowedClaims } from '../../../server/chat/turn/checks/claims.ts'
import { spelledNumbers } from '../../../server/chat/turn/checks/number-words.ts'
import { SentenceGate } from '../../../server/chat/turn/checks/sentence-gate.ts'

const SOURCE = `Shipping costs 49,90 TL and is free above 1.500 TL. Open Mon–Sat 09:00–18:30.
Call +90 (212) 555 01 02 or write to info@shop.example. Address: Gül Sokak No: 12, 34710 Kadıköy.
Returns within fourteen days; see https://www.shop.example/returns. The sale ends on 12.03.2027.
IBAN TR12 0006 2000 0001 1112 2233 34. Delivery takes 2 to 4 days.`

function missingIn(sentence: string, source = SOURCE): string[] {
  const allowed = new AllowedClaims()
  allowed.add(source)
  return allowed.missingIn(sentence)
}

describe('an answer may state what a source states', () => {
  test.each([
    'Shipping is 49.90 TL, free above 1,500 TL.',
    'Kargo ₺49,90; 1500 TL üzeri ücretsiz.',
    'We are open from 9:00 to 18.30, that is until 6:30 pm.',
    'From 9 on.',
    'Call 0212 555 01 02.',
    'Ruf an: +902125550102.',
    'Write to INFO@shop.example or see shop.example/returns.',
    'See [returns](https://www.shop.example/returns).',
    'We are at Gül Sokak 12, 34710 Kadıköy.',
    'Within 14 days; on dört gün; vierzehn Tage.',
    'The sale ends on 12 March 2027.',
    'خلال ٤ أيام',
    '1. Open the page.\n',
    'Two to four days.',
    'There is one thing to do on Monday; ich bin da.',
  ])('%s', (sentence) => {
    expect(missingIn(sentence)).toEqual([])
  })
})

describe('an answer may not state what no source does', () => {
  test.each([
    ['Shipping costs 59 TL.', '59'],
    ['Shipping costs 49,90 USD.', 'USD'],
    ['Free above 150 TL.', '150'],
    ['Free above 15.000 TL.', '15.000'],
    ['Until 19:30.', '19:30'],
    ['Until 9 pm.', '9 pm'],
    ['Call 0212 555 01 03.', '0212 555 01 03'],
    ['Call 444 0 123.', '444 0 123'],
    ['Write to sales@shop.example.', 'sales@shop.example'],
    ['See https://shop.example/sale now.', 'shop.example/sale'],
    ['See evil.com.', 'evil.com'],
    ['See [this](javascript:alert).', 'javascript:alert'],
    ['Within fifteen days.', '15'],
    ['On beş gün içinde.', '15'],
    ['Fünfundzwanzig Euro.', '25'],
    ['خلال ٧ أيام', '7'],
    ['Within １５ days.', '15'],
    ['It ends on 13.03.2027.', '13.03.2027'],
    ['7. Open the page.', '7'],
  ])('%s', (sentence, missing) => {
    expect(missingIn(sentence).join(' ')).toContain(missing)
  })
})

test('numbers are read as words in four languages', () => {
  const read = (text: string) => spelledNumbers(text, { isStrict: true })
  expect(read('twenty-five or two hundred and six')).toEqual([25, 200, 6])
  expect(read('yirmi beş gün, üç yüz lira, iki bin beş yüz')).toEqual([25, 300, 2500])
  expect(read('zweiunddreißig Tage')).toEqual([32])
  expect(read('ثلاثة أيام')).toEqual([3])
  expect(read('click on it, one by one')).toEqual([])
})

test('a stream is let through by the sentence', () => {
  const gate = new SentenceGate()
  const parts = ['Hello the', 're. It is No. 1', '2.5 TL today', '!\n- One\n- T', 'wo']
  expect(parts.flatMap((part) => gate.push(part))).toEqual([
    'Hello there.',
    ' It is No. 12.5 TL today!',
    '\n- One',
  ])
  expect(gate.end()).toEqual(['\n- Two'])
})
