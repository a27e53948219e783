import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import { isLeaving, removeLater } from '../../app/alerts/late-removal.ts'
import { useList } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/knowledge.ts'
import { Button } from '../../ui/button.tsx'
import { Ago, Empty, Failure, Skeleton } from '../../ui/page.tsx'
import { More } from '../../ui/table.tsx'

/** A rated answer of `GET /api/v1/tenants/{tenant_id}/feedback`. */
interface RatedAnswer {
  message_id: string
  session_id: string
  question: string | null
  answer: string
  citations: { title: string; url: string | null }[]
  comment: string | null
  created_at: string
}

/** Answers that visitors rated down, with what was quoted. */
export function Feedback({ tenantId, words }: { tenantId: string; words: Words }): VNode {
  const app = useApp()
  const { api } = app
  const base = `tenants/${tenantId}/feedback`
  const list = useList<RatedAnswer>(tenantId, (cursor, signal) =>
    api.get(base, { rating: 'down', cursor, limit: 25 }, signal),
  )
  const pathOf = (row: RatedAnswer): string => `${base}/${row.message_id}`
  const rows = list.rows.value?.filter((row) => !isLeaving(pathOf(row)))

  if (rows === undefined) {
    return list.error.value === undefined ? (
      <Skeleton />
    ) : (
      <Failure error={list.error.value} retry={list.reload} />
    )
  }
  if (rows.length === 0) {
    return (
      <Empty icon="thumbUp" title={words.noFeedback}>
        {words.noFeedbackText}
      </Empty>
    )
  }
  return (
    <div class="stack">
      {rows.map((row) => (
        <article key={row.message_id} class="card stack tight">
          <div class="row between">
            <h2>{row.question ?? words.noQuestion}</h2>
            <span class="soft small">
              <Ago at={row.created_at} />
            </span>
          </div>
          <p class="answer">{row.answer}</p>
          {row.comment !== null && <blockquote class="comment">{row.comment}</blockquote>}
          {row.citations.length > 0 && (
            <p class="soft small">{row.citations.map(({ title }) => title).join(' · ')}</p>
          )}
          <div class="row">
            <Button
              small
              href={`${BASE}/knowledge?add=1&title=${encodeURIComponent(row.question ?? '')}`}
            >
              {words.writeAnswer}
            </Button>
            <Button small href={`${BASE}/inbox/${row.session_id}`}>
              {words.openConversation}
            </Button>
            <Button
              small
              kind="plain"
              icon="check"
              onPress={() => removeLater(app, { path: pathOf(row), text: words.settled })}
            >
              {words.markDone}
            </Button>
          </div>
        </article>
      ))}
      <More list={list} />
    </div>
  )
}
