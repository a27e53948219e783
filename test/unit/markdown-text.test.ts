import { expect, test } from 'vitest'
import { textOfMarkdown } from '../../server/lib/text/markdown-text.ts'

test('writes markdown for readers of plain text', () => {
  const markdown = [
    '## Prices',
    '**Shipping:** free above ***750*** *TL*, with `KARGO` else.',
    '* one',
    '* two with [a page](https://a.example/b) and [mail](mailto:x@a.example)',
    '1. first',
    '> quoted',
    '```js',
    'let a = b ** 2',
    '```',
    '[https://a.example](https://a.example) ![the shop](x.png)',
    '~~~ one line of it ~~~',
  ].join('\n')
  expect(textOfMarkdown(markdown)).toBe(
    [
      'Prices',
      'Shipping: free above 750 TL, with KARGO else.',
      '- one',
      '- two with a page (https://a.example/b) and mail (x@a.example)',
      '1. first',
      'quoted',
      'let a = b ** 2',
      'https://a.example the shop',
      '~~~ one line of it ~~~',
    ].join('\n'),
  )
})

test('marks bold text as the app does, and leaves other signs alone', () => {
  expect(textOfMarkdown('# Hours\n**Mon:** 9–17, 2 * 3 = 6, snake_case_name', '*')).toBe(
    '*Hours*\n*Mon:* 9–17, 2 * 3 = 6, snake_case_name',
  )
})

test.each(['[', '[a](', '**', '_a', '`a '])(
  'reads a text of nothing but “%s” in linear time',
  (sign) => {
    const text = sign.repeat(50_000)
    expect(textOfMarkdown(text).length).toBeGreaterThan(0)
  },
)

test.each([
  'https://instagram.com/_kafe_ ve https://a.example/?q=*a*&b=_c_',
  'kullanıcı_adı_şifre, adı_soyadı_şifre.pdf',
  '2**3**4 ve **** **** **** 1234',
  '+ 20 TL kargo',
  '> 500 TL üzeri',
])('leaves “%s” as it is', (text) => {
  expect(textOfMarkdown(text, '*')).toBe(text)
})
