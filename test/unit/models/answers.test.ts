import { describe, expect, test } from 'vitest'
import { splitDocument } from '../../../server/knowledge/parsers/chunk.ts'
import { buildIndexSync, search } from '../../../server/knowledge/search/search-index.ts'
import { answerFromPassages } from '../../../server/models/embedded/answers/answer.ts'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'
import { indexed } from '../../quality/documents.ts'

const SHOP = `# Thornbury & Finch

We hire out instruments. Hire first, buy later. Every hire instrument is checked.

## Address

Please do not park in front of the gate.

Thornbury & Finch, The Old Button Factory, 14 Spindle Row, Hexley HX9 4QT

## Shop hours

| Day | Open |
|---|---|
| Monday | Closed |
| Tuesday to Friday | 9.30 am – 5.30 pm |
| Saturday | 9 am – 4 pm |

In September we open on Mondays too, from 1 pm to 5.30 pm.

## Piano tuning

| Service | Price |
|---|---|
| Standard tuning, upright | £72 |
| Pitch raise (piano not tuned for years) | £40 extra |
| Inspection | £55 |

## Frequently asked questions

**May I bring my dog into the shop?** Yes, on a lead. Only the practice rooms are off limits.

**Is there a toilet?** Yes, on the ground floor, with baby changing.
`
const HIRE = `# Instrument hire

${['Violin', 'Viola', 'Cello', 'Flute', 'Clarinet', 'Trombone']
  .map(
    (name) =>
      `## ${name}\n\nThe hire of a ${name.toLowerCase()} is monthly, and every hire ends when you like.`,
  )
  .join('\n\n')}

## Lockers

A locker can be rented by the month.
`

const index = buildIndexSync(
  [SHOP, HIRE].flatMap((content) => {
    const title = content.slice(2, content.indexOf('\n'))
    return indexed(title, splitDocument({ kind: 'markdown', title, content }))
  }),
)

function answerTo(question: string): { content: string; known: boolean } {
  const reading = readMessage(question, { locale: 'en' })
  const hits = search(index, reading.search, 8)
  return answerFromPassages({ question, reading, locale: 'en', hits, threshold: 0.35 })
}

describe('an answer from a shop’s pages', () => {
  test('has the hours of all days, also where the first one is a closed day', () => {
    expect(answerTo('opening hours').content).toContain(
      '- Monday — Closed\n- Tuesday to Friday — 9.30 am – 5.30 pm\n- Saturday — 9 am – 4 pm',
    )
  })

  test('knows a British address by its postcode', () => {
    expect(answerTo('where are you').content).toMatch(/^Thornbury & Finch, The Old Button Factory/)
  })

  test('has the whole list of prices where the question names its heading', () => {
    expect(answerTo('how much is a piano tuning').content).toContain('upright — £72\n- Pitch raise')
    expect(answerTo('how much is an inspection').content).toMatch(/^Inspection — £55/)
  })

  test('quotes the answer of the question that was asked, and no other', () => {
    const { content } = answerTo('can i bring my dog into the shop')
    expect(content).toMatch(/Yes, on a lead\. Only the practice rooms are off limits\.$/)
    expect(content).not.toContain('toilet')
  })

  test('takes the word that the site says everywhere for one that it says once', () => {
    const { content } = answerTo('can i rent a cello')
    expect(content).toContain('The hire of a cello is monthly')
    expect(content).not.toContain('locker')
  })
})
