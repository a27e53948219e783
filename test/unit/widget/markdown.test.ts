import type { ComponentChildren } from 'preact'
import { describe, expect, test } from 'vitest'
import { Markdown as PanelMarkdown } from '../../../panel/ui/markdown.tsx'
import { textOfMarkdown } from '../../../server/lib/text/markdown-text.ts'
import { toSpeech } from '../../../widget/session/announcer.ts'
import { Markdown } from '../../../widget/ui/markdown.tsx'

/** The HTML that a browser would show, with text escaped by square brackets. */
function show(node: ComponentChildren): string {
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (Array.isArray(node)) return node.map(show).join('')
  if (typeof node !== 'object') return String(node).replaceAll('<', '‹').replaceAll('>', '›')
  if (!('type' in node)) return ''
  const { children, ...props }: { children?: ComponentChildren; [name: string]: unknown } =
    node.props
  if (typeof node.type === 'function') return show(Reflect.apply(node.type, null, [node.props]))
  // Every block but code has the direction of its own text.
  const { dir, ...others } = props
  if (/^(p|ul|ol|blockquote)$/.test(node.type)) expect(dir).toBe('auto')
  const attributes = Object.entries(others).map(([name, value]) => ` ${name}="${String(value)}"`)
  return `<${node.type}${attributes.join('')}>${show(children)}</${node.type}>`
}

const RENDERERS = [
  ['widget', (text: string): string => show(Markdown({ text }))],
  ['panel', (text: string): string => show(PanelMarkdown({ text }))],
] as const
const link = (url: string, text: string): string =>
  `<a href="${url}" target="_blank" rel="noopener noreferrer">${text}</a>`

describe.each(RENDERERS)('an answer in the %s', (_where, markdown) => {
  test.each([
    ['**bold** and *italic*', '<p><strong>bold</strong> and <em>italic</em></p>'],
    ['run `npm ci`', '<p>run <code>npm ci</code></p>'],
    ['one\ntwo\n\nthree', '<p>one<br></br>two</p><p>three</p>'],
    ['- a\n- **b**', '<ul><li>a</li><li><strong>b</strong></li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['> said', '<blockquote>said</blockquote>'],
    ['## Title', '<p><strong>Title</strong></p>'],
    ['```js\nconst **a** = 1\n```', '<pre><code>const **a** = 1</code></pre>'],
    ['```\nnot over yet', '<pre><code>not over yet</code></pre>'],
    ['[here](https://a.example/b)', `<p>${link('https://a.example/b', 'here')}</p>`],
    [
      'see https://a.example/b.',
      `<p>see ${link('https://a.example/b', 'https://a.example/b')}.</p>`,
    ],
    ['snake_case_name and 2 * 3 * 4', '<p>snake_case_name and 2 * 3 * 4</p>'],
    ['**not over', '<p>**not over</p>'],
    ['***both***', '<p><strong><em>both</em></strong></p>'],
    ['Fiyat:**79 TL**, _çok_ ucuz', '<p>Fiyat:<strong>79 TL</strong>, <em>çok</em> ucuz</p>'],
  ])('shows %j as it is meant', (text, html) => {
    expect(markdown(text)).toBe(html)
  })

  test.each([
    'ş_a_ğ ve adı_soyadı_şifre.pdf',
    'ad_soyad_iş@example.com',
    'instagram.com/_kafe_',
    'ş*a*ğ, 2**3**4, 5 * 6 ve **** **** **** 1234',
  ])('leaves the signs in %j, as in other apps', (text) => {
    expect(markdown(text)).toBe(`<p>${text}</p>`)
    expect(textOfMarkdown(text)).toBe(text)
  })

  test.each([
    ['https://x.example/a_b_c', ''],
    ['https://instagram.com/_kafe_', ' ve'],
    ['https://x.example/?q=*a*&b=ş_c_ğ', ''],
    ['https://tr.example/wiki/Ankara_(il)', '.'],
    ['https://x.example/(a)/b', ').'],
    ['https://x.example/a/', ')'],
    ['https://x.example/şehir', '…'],
    ['https://x.example/a', '”'],
    ['https://x.example/a_b', '*'],
    ['https://x.example/a', '؟'],
  ])('links %j, and not the %j after it', (url, rest) => {
    expect(markdown(`(${url}${rest}`)).toBe(`<p>(${link(url, url)}${rest}</p>`)
  })

  test.each([
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1))',
    '[a](data:text/html,x)',
    '[a]( javascript:alert(1))',
    '![a](https://a.example/track.png)<script>alert(1)</script>',
    '[a](JaVaScRiPt:alert(1))',
  ])('never becomes anything but text and safe links: %j', (text) => {
    const html = markdown(text)
    expect(html).not.toMatch(/<(img|script|iframe)/)
    expect(html.match(/href="(?!https?:\/\/|mailto:)/i)).toBeNull()
  })

  test('is quick to show however it is written', () => {
    for (const part of [
      '*',
      '**',
      '***a ',
      '[',
      '`',
      '> ',
      '- ',
      '_a',
      'https://',
      '[a](',
      'https://(.',
    ]) {
      expect(markdown(part.repeat(4_000))).toContain('<')
    }
  })
})

test('a reader hears the strings without the signs', () => {
  expect(toSpeech('**Free** above [750 TL](https://a.example):\n- `yes`')).toBe(
    'Free above 750 TL: yes',
  )
  expect(toSpeech('_Mail_ ad_soyad_iş@example.com')).toBe('Mail ad_soyad_iş@example.com')
})
