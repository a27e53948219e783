import type { VNode } from 'preact'
import type { Document } from '../../server/knowledge/schema.ts'
import { useApp } from '../app/app-context.ts'
import type { ReadingWords } from '../locales/en/parts/reading.ts'
import { Badge } from '../ui/page.tsx'
import { explainReading } from './reading-problems.ts'

interface Props {
  document: Pick<Document, 'state' | 'error' | 'passages' | 'pages'>
  words: ReadingWords['states']
}

/** Whether a document can be searched, with its progress, and what went wrong in a sentence. */
export function DocumentState({ document, words }: Props): VNode {
  const badge = <Progress document={document} words={words} />
  const { error } = document
  if (error === null) return badge
  return (
    <span class="document-state long">
      {badge}
      <span class="soft small">
        {explainReading(error, words.problems) ?? words.problems.other(error, '')}
      </span>
    </span>
  )
}

function Progress({ document, words }: Props): VNode {
  const { format } = useApp()
  const { number } = format.value
  const { state, pages, passages } = document
  if (state === 'failed') return <Badge tone="wrong">{words.failed}</Badge>
  if (pages && (state === 'indexing' || pages.ready < pages.total)) {
    return <Badge tone="accent">{words.pages(number(pages.ready), number(pages.total))}</Badge>
  }
  if (state === 'queued') return <Badge>{words.queued}</Badge>
  if (state === 'indexing') return <Badge tone="accent">{words.indexing}</Badge>
  return <Badge tone="good">{words.ready(passages, number(passages))}</Badge>
}
