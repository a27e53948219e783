import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitDocument } from '../../../server/knowledge/parsers/chunk.ts'
import type { DocumentKind } from '../../../server/knowledge/schema.ts'
import { UnreadableDocument } from '../../../server/knowledge/parsers/detect.ts'

function markdown(content: string): ReturnType<typeof splitDocument> {
  return splitDocument({ kind: 'markdown', title: 'Guide', content })
}

function split(kind: DocumentKind, content: string): ReturnType<typeof splitDocument> {
  return splitDocument({ kind, title: 'Guide', content })
}

describe('markdown', () => {
  test('is split at headings, each with its place in the page', () => {
    const passages = markdown('Intro.\n\n## One {/*first*/}\n\nA.\n\n### Two & more\n\nB.')
    expect(passages).toEqual([
      { ordinal: 0, heading: 'Guide', anchor: null, text: 'Intro.' },
      { ordinal: 1, heading: 'One', anchor: 'first', text: 'A.' },
      { ordinal: 2, heading: 'One › Two & more', anchor: 'two--more', text: 'B.' },
    ])
  })

  test('names its introduction by the title that the document gives itself', () => {
    const [first] = markdown("---\ntitle: 'Hook''lar'\n---\n\n<Intro>\n\nGiriş.\n\n</Intro>")
    expect(first).toMatchObject({ heading: "Hook'lar", text: 'Giriş.', anchor: null })
  })

  test('keeps code and tables whole, and loses marks, links and tags', () => {
    const code = '```js\n# not a heading\n\nlet a = 1\n```'
    const [passage] = markdown(
      `**Bold** [link](https://a.b "t") ![alt](x.png) <b>tag</b> \`<Keep>\` a_b_c\n\n${code}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |`,
    )
    expect(passage?.text).toBe(
      `Bold link alt tag \`<Keep>\` a_b_c\n\n${code}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |`,
    )
  })

  test('leaves out a table of contents and hidden files', () => {
    const [passage] = markdown('- [One](#one)\n- [Two](/two)\n\n```js hidden\nx\n```\n\nEnd.')
    expect(passage?.text).toBe('- Two\n\nEnd.')
  })

  test('heads each answer of a page of questions with its question, below the section’s anchor', () => {
    const passages = markdown(
      '## FAQ\n\nAsk us.\n\n**Is there a lift?** No. There are stairs.\n\n**May I come in?**\n\nYes.\n\nOn a lead.',
    )
    expect(passages).toMatchObject([
      { heading: 'FAQ', anchor: 'faq', text: 'Ask us.' },
      { heading: 'FAQ › Is there a lift?', anchor: 'faq', text: 'No. There are stairs.' },
      { heading: 'FAQ › May I come in?', anchor: 'faq', text: 'Yes.\n\nOn a lead.' },
    ])
  })

  test('keeps a question of the text in its place', () => {
    const text = 'Thin walls? Baby asleep? Come to us.\n\nWe have rooms. Why not try one?'
    expect(markdown(`## Rooms\n\n${text}`)).toMatchObject([{ text }])
  })

  test('gives equal headings anchors of their own', () => {
    const anchors = markdown('## A\n\nx\n\n## A\n\ny').map((passage) => passage.anchor)
    expect(anchors).toEqual(['a', 'a-1'])
  })

  test('can be asked for a heading that has nothing under it', () => {
    expect(markdown('## Only a heading')).toMatchObject([{ text: 'Only a heading' }])
  })

  test('loses no word, and no passage of prose is too long', () => {
    const word = fc.stringMatching(/^[a-zçğıöşü]{1,12}$/)
    const sentence = fc.array(word, { minLength: 1, maxLength: 60 }).map((all) => all.join(' '))
    const block = fc.oneof(
      fc.array(sentence, { minLength: 1, maxLength: 12 }).map((all) => `${all.join('. ')}.`),
      sentence.map((text) => `## ${text}`),
      sentence.map((text) => `- ${text}`),
      sentence.map((text) => `\`\`\`\n${text}\n\`\`\``),
    )
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 15 }), (blocks) => {
        const content = blocks.join('\n\n')
        const passages = markdown(content)
        const found = passages.map(({ heading, text }) => `${heading} ${text}`).join(' ')
        const known = new Set(found.split(/[^\p{L}]+/u))
        for (const each of content.match(/\p{L}+/gu) ?? []) expect(known).toContain(each)
        const prose = passages.filter(({ text }) => !text.includes('```'))
        for (const { text } of prose) expect(text.split(/\s+/).length).toBeLessThanOrEqual(240)
      }),
      { numRuns: 60 },
    )
  })
})

describe('html', () => {
  test('is read without scripts, styles and navigation, with ids as anchors', () => {
    const passages = split(
      'html',
      `<!doctype html><title>My page</title><nav>Menu</nav><script>let x = "<p>no</p>"</script>
      <p>Hello&nbsp;&amp; welcome</p><h2 id="prices">Prices</h2><ul><li>One<li>Two</ul>
      <pre>a  &lt;b&gt;\n  c</pre><table><tr><th>A<th>B<tr><td>1<td>2</table>`,
    )
    expect(passages).toEqual([
      { ordinal: 0, heading: 'My page', anchor: null, text: 'Hello & welcome' },
      {
        ordinal: 1,
        heading: 'Prices',
        anchor: 'prices',
        text: '- One\n- Two\n\n```\na  <b>\n  c\n```\n\n| A | B |\n| 1 | 2 |',
      },
    ])
  })
})

describe('text', () => {
  test('is split at blank lines once it is long', () => {
    const paragraph = `${'word '.repeat(100)}end.`
    const passages = split('text', `${paragraph}\n\n${paragraph}\n\n${paragraph}`)
    expect(passages.length).toBeGreaterThan(1)
    expect(passages.every(({ heading, anchor }) => heading === 'Guide' && anchor === null)).toBe(
      true,
    )
  })
})

test.each([
  ['a PDF', 'text', '%PDF-1.7 …'],
  ['an Office file', 'markdown', 'PK\u0003\u0004…'],
  ['NUL bytes', 'text', 'a\0b'],
  ['nothing', 'markdown', ' \n '],
  ['a page sent as text', 'text', '<!DOCTYPE html><p>x'],
  ['text sent as a page', 'html', 'just words, 1 < 2'],
  ['more sections than anyone reads', 'markdown', '# a\n\nb\n\n'.repeat(30_000)],
  ['a page without words', 'html', '<p></p><script>x</script>'],
] as const)('refuses %s with a sentence to act on', (_, kind, content) => {
  expect(() => split(kind, content)).toThrow(UnreadableDocument)
  expect(() => split(kind, content)).toThrow(/[.]$/)
})

const MEGABYTE = 1_000_000
test.each([
  ['quotes in quotes', 'markdown', '>'.repeat(5 * MEGABYTE) + ' x'],
  ['lists in lists', 'markdown', '- '.repeat(2 * MEGABYTE) + 'x'],
  ['open brackets', 'markdown', '['.repeat(2 * MEGABYTE) + 'x'],
  ['link beginnings', 'markdown', '[a]('.repeat(MEGABYTE) + 'x'],
  ['emphasis', 'markdown', '*a_'.repeat(MEGABYTE)],
  ['back ticks', 'markdown', '` `` ``` a '.repeat(300_000)],
  ['tags that never close', 'markdown', '<a'.repeat(2 * MEGABYTE)],
  ['comments that never close', 'markdown', 'x {/* '.repeat(500_000)],
  ['page comments that never close', 'markdown', `${'<!-- x\n\n'.repeat(500_000)}x`],
  ['one line', 'text', 'x'.repeat(5 * MEGABYTE)],
  ['many words on a line', 'markdown', 'word. '.repeat(800_000)],
  ['headings', 'markdown', '# a\n'.repeat(300_000)],
  ['tables', 'markdown', `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(500_000)}`],
  ['nested elements', 'html', '<div>'.repeat(MEGABYTE) + 'x'],
  ['closing tags', 'html', 'x' + '</p>'.repeat(MEGABYTE)],
  ['nested tables', 'html', '<table><tr><td>'.repeat(300_000) + 'x'],
  ['lone surrogates', 'text', '\uD800 \uDC00'.repeat(MEGABYTE)],
] as const)('reads %s by the megabyte', (_, kind, content) => {
  const passages = split(kind, content)
  expect(passages.length).toBeGreaterThan(0)
  for (const { text } of passages) expect(text.length).toBeLessThan(20_000)
})
