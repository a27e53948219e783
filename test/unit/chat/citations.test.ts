import { expect, test } from 'vitest'
import { buildCitations } from '../../../server/chat/turn/citations.ts'
import { splitDocument } from '../../../server/knowledge/parsers/chunk.ts'
import type { Hit } from '../../../server/knowledge/search/hit.ts'
import { buildIndexSync, search } from '../../../server/knowledge/search/search-index.ts'
import { indexed } from '../../quality/documents.ts'

const title = 'Visit us'
const content = `# ${title}

## Questions

**Is there a lift?** No, there are 19 steps. The shop is on the ground floor.

**May I bring my dog?** Yes, on a lead. Water is by the door.

## Opening hours

We are open on weekdays. The café closes an hour earlier.
`
const index = buildIndexSync(indexed(title, splitDocument({ kind: 'markdown', title, content })))
const hitsOf = (question: string): Hit[] => search(index, { question }, 3)

test('a citation has the question for its heading, and the sentence that the answer repeats', () => {
  const citations = buildCitations(index, hitsOf('can i bring my dog'), [0], 'Yes, on a lead.')
  expect(citations).toMatchObject([
    { title, heading: 'May I bring my dog?', anchor: 'questions', quote: 'Yes, on a lead.' },
  ])
})

test('quotes the sentence that is most like an answer in other words, each time alike', () => {
  const hits = hitsOf('when does the café close')
  const answer = 'The café closes earlier than the shop, by an hour.'
  const first = buildCitations(index, hits, [0], answer)
  expect(first).toMatchObject([
    { heading: 'Opening hours', quote: 'The café closes an hour earlier.' },
  ])
  expect(buildCitations(index, hits, [0], answer)).toEqual(first)
})
