import { describe, expect, test } from 'vitest'
import { splitBlocks, splitDocument } from '../../../server/knowledge/parsers/chunk.ts'
import { readDocx } from '../../../server/knowledge/parsers/docx.ts'
import type { DocumentKind } from '../../../server/knowledge/schema.ts'
import { docxXml, makeDocx } from '../../helpers/office-files.ts'

const LONG =
  'Check the fuse and the switch beside the unit before you ring, and note what the display says. '
const split = (kind: DocumentKind, content: string) =>
  splitDocument({ kind, title: 'Guide', content }).map(({ heading, text }) => ({ heading, text }))

const HEADED = [
  { heading: 'Faults › No hot water', text: `Turn on the heater. ${LONG.repeat(2).trim()}` },
  { heading: 'Faults › White steam', text: `It is defrosting. ${LONG.repeat(2).trim()}` },
]

describe('paragraphs that begin with bold words', () => {
  test.each<[string, () => typeof HEADED]>([
    [
      'of Markdown',
      () =>
        split(
          'markdown',
          `## Faults\n\n**No hot water.** Turn on the heater. ${LONG.repeat(2)}\n\n**White steam** – It is defrosting. ${LONG.repeat(2)}`,
        ),
    ],
    [
      'of a page',
      () =>
        split(
          'html',
          `<h2>Faults</h2><p><strong>No hot water.</strong> Turn on the heater. ${LONG.repeat(2)}</p><p> <b>White <i>steam</i>:</b> It is defrosting. ${LONG.repeat(2)}</p>`,
        ),
    ],
    [
      'of a description list',
      () =>
        split(
          'html',
          `<h2>Faults</h2><dl><dt>No hot water</dt><dd>Turn on the heater. ${LONG.repeat(2)}</dd><dt>White steam</dt><dd><p>It is defrosting. ${LONG.repeat(2)}</p></dd></dl>`,
        ),
    ],
    [
      'of a Word file',
      () =>
        splitBlocks(
          readDocx(
            makeDocx(
              docxXml([
                { text: 'Faults', style: 'Balk2' },
                { label: 'No hot water.', text: ` Turn on the heater. ${LONG.repeat(2)}` },
                { label: 'White steam:', text: ` It is defrosting. ${LONG.repeat(2)}` },
              ]),
            ),
          ),
          'Guide',
        ).map(({ heading, text }) => ({ heading, text })),
    ],
  ])('are found under them: %s', (_, passages) => {
    const own = passages().map(({ heading, text }) => ({
      heading: heading.replace(/^Guide › /, ''),
      text,
    }))
    expect(own).toEqual(HEADED)
  })

  test.each<[DocumentKind, string]>([
    [
      'markdown',
      `## Faults\n\n**No hot water**\nTurn on the heater. ${LONG.repeat(2)}\n\n**White steam**\n\nIt is defrosting. ${LONG.repeat(2)}`,
    ],
    [
      'html',
      `<h2>Faults</h2><p><b>No hot water</b><br>Turn on the heater. ${LONG.repeat(2)}</p><p><strong>White steam</strong></p><p>It is defrosting. ${LONG.repeat(2)}</p>`,
    ],
  ])('head what follows their line: %s', (kind, content) => {
    expect(split(kind, content)).toEqual(HEADED)
  })

  test('stay one list where they are short, and where they are steps', () => {
    expect(
      split('markdown', '## Ways\n\n**By bus:** line 4.\n\n**On foot:** ten minutes.'),
    ).toEqual([{ heading: 'Ways', text: '- By bus: line 4.\n- On foot: ten minutes.' }])
    const steps = split(
      'markdown',
      `## Steps\n\n**1. Ring us.** ${LONG.repeat(3)}\n\n**2. Meet us.** ${LONG.repeat(3)}`,
    )
    expect(steps).toMatchObject([{ heading: 'Steps' }])
    expect(steps[0]?.text).toMatch(/^1\. Ring us: Check [^]*\n2\. Meet us: Check /)
  })

  test('are prose where only one does, or a sentence goes on after them', () => {
    const [one, other] = [
      '**Note.** We are closed on Sunday.',
      '**Bring ID** with you, and **pay** here.',
    ]
    expect(split('markdown', `## A\n\n${one}\n\nRing us.\n\n## B\n\n${other}\n\n${other}`)).toEqual(
      [
        { heading: 'A', text: 'Note. We are closed on Sunday.\n\nRing us.' },
        {
          heading: 'B',
          text: 'Bring ID with you, and pay here.\n\nBring ID with you, and pay here.',
        },
      ],
    )
  })
})

test('what opens by a click has its summary as heading, below the section’s anchor', () => {
  const details = (summary: string, text: string): string =>
    `<details><summary>${summary}</summary><p>${text}</p><ul><li>First.</li></ul></details>`
  const content = `<h2 id="help">Help</h2>${details('Returns', 'Within 14 days.')}${details('Parcels', 'On weekdays.')}`
  expect(splitDocument({ kind: 'html', title: 'Guide', content })).toMatchObject([
    { heading: 'Help › Returns', anchor: 'help', text: 'Within 14 days.\n\n- First.' },
    { heading: 'Help › Parcels', anchor: 'help', text: 'On weekdays.\n\n- First.' },
  ])
})

test('a term that nothing describes is a paragraph', () => {
  expect(
    split('html', '<h2>A</h2><dl><dt>Open</dt></dl><ul><li>Daily</li></ul><dl><dt>Last</dt></dl>'),
  ).toEqual([{ heading: 'A', text: 'Open\n\n- Daily\n\nLast' }])
})
