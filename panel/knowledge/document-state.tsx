import type { VNode } from 'preact'
import type { Document } from '../../server/knowledge/schema.ts'
import { useApp } from '../app/app-context.ts'
import type { ReadingWords } from '../locales/en/parts/reading.ts'
import { Badge } from '../ui/page.tsx'

/** Whether a document can be searched, with its progress or its error as a sentence. */
export function DocumentState({
  document,
  words,
}: {
  document: Pick<Document, 'state' | 'error' | 'passages' | 'pages'>
  words: ReadingWords['states']
}): VNode {
  const { format } = useApp()
  const { number } = format.value
  const { state, error, pages, passages } = document
  if (state === 'failed') {
    return (
      <Badge tone="wrong" lang={error === null ? undefined : 'en'}>
        {error ?? words.failed}
      </Badge>
    )
  }
  if (pages && (state === 'indexing' || pages.ready < pages.total)) {
    return <Badge tone="accent">{words.pages(number(pages.ready), number(pages.total))}</Badge>
  }
  if (state === 'queued') return <Badge>{words.queued}</Badge>
  if (state === 'indexing') return <Badge tone="accent">{words.indexing}</Badge>
  return <Badge tone="good">{words.ready(passages, number(passages))}</Badge>
}
