import { readMarkdown } from '../../server/knowledge/parsers/markdown.ts'
import type { Block } from '../../server/knowledge/parsers/blocks.ts'
import { type DocxBlock, docxXml, makeDocx } from '../helpers/office-files.ts'

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '')
const cellsOf = (row: string) => row.split('|').slice(1, -1)
const rowsOf = (table: string) => table.split('\n').filter((row) => !/^[|:\-\s]+$/.test(row))

function htmlOf(block: Block): string {
  if (block.kind === 'heading') {
    const id = block.anchor === undefined ? '' : ` id="${block.anchor}"`
    return `<h${block.depth}${id}>${escape(block.text)}</h${block.depth}>`
  }
  if (block.kind === 'code') {
    const lines = block.text.split('\n').slice(1, -1).join('\n')
    return `<pre>${lines.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`
  }
  if (block.kind === 'table') {
    const rows = rowsOf(block.text).map(
      (row) =>
        `<tr>${cellsOf(row)
          .map((cell) => `<td>${escape(cell)}</td>`)
          .join('')}</tr>`,
    )
    return `<table>${rows.join('')}</table>`
  }
  if (block.kind === 'item') return `<li>${escape(block.text.replace(/^- /, ''))}</li>`
  return `<p>${escape(block.text)}</p>`
}

/** A Markdown document as a site shows it, with what is around it on all of its pages. */
export function asSitePage(title: string, markdown: string): Buffer {
  const { blocks, title: own } = readMarkdown(markdown)
  const page = `<!doctype html><html><head><meta charset="utf-8"><title>${escape(own ?? title)}</title></head>
<body><nav><a href="/">Home</a> <a href="/docs">Documentation</a> <a href="/blog">Blog</a></nav>
<aside><p>Install, routes, hooks, state, props and everything else.</p></aside>
<main>${blocks.map(htmlOf).join('\n')}</main>
<footer><p>Documentation, blog and community. Privacy, terms, cookies.</p></footer></body></html>`
  return Buffer.from(page)
}

/** The same as a Word file. */
export function asWordFile(markdown: string): Uint8Array {
  const blocks = readMarkdown(markdown).blocks.map((block): DocxBlock => {
    if (block.kind === 'heading') return { text: block.text, style: `Balk${block.depth}` }
    if (block.kind === 'table') return { rows: rowsOf(block.text).map(cellsOf) }
    if (block.kind === 'item') return { text: block.text.replace(/^- /, ''), isItem: true }
    return { text: block.kind === 'code' ? block.text.replace(/^```.*$/gm, '') : block.text }
  })
  return makeDocx(docxXml(blocks))
}
