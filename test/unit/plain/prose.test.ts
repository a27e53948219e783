import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../../server/noscript/markdown-html.ts'

describe('an answer on the page without scripts', () => {
  test('has paragraphs, lists, headings, bold, code and links', () => {
    expect(renderMarkdown('Hello **you**\nthere\n\n- one\n- `two`\n1. three')).toBe(
      '<p dir="auto">Hello <strong>you</strong><br>there</p><ul dir="auto"><li>one</li><li><code>two</code></li></ul><ol dir="auto"><li>three</li></ol>',
    )
    expect(renderMarkdown('## Fees\nSee [the page](https://a.example/x?a=1&b=2).')).toBe(
      '<p dir="auto"><strong>Fees</strong></p><p dir="auto">See <a href="https://a.example/x?a=1&amp;b=2" rel="noopener">the page</a>.</p>',
    )
  })

  test.each([
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](https://a.example/" onmouseover="alert(1))',
    '[<b onclick=x>](https://a.example/)',
    '**<script>**alert(1)**</script>**',
    '[a](https://a.example/[b](https://b.example/"x))',
    '`[x](https://a.example/`onclick=y)`',
  ])('runs nothing of %s', (text) => {
    const html = renderMarkdown(text)
    const allowed =
      /<\/?(p|ul|ol|li|strong|code|br|a)( dir="auto")?( href="https:\/\/[^"<>]*" rel="noopener")?>/g
    expect(html.replaceAll(allowed, '')).not.toMatch(/[<>"]/)
  })
})
