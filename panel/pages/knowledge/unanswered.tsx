import { useComputed } from '@preact/signals'
import type { VNode } from 'preact'
import type { UnansweredQuestion } from '../../../server/knowledge/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { isLeaving, removeLater } from '../../app/alerts/late-removal.ts'
import { useList } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/knowledge.ts'
import { Button } from '../../ui/button.tsx'
import { Ago, Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'

/** Questions without an answer, the most asked first, each with the way to answer it. */
export function Unanswered({ tenantId, words }: { tenantId: string; words: Words }): VNode {
  const app = useApp()
  const { api, format, words: common } = app
  const base = `tenants/${tenantId}/unanswered`
  const list = useList<UnansweredQuestion>(tenantId, (cursor, signal) =>
    api.get(base, { cursor, limit: 50 }, signal),
  )
  const pathOf = (row: UnansweredQuestion): string => `${base}/${row.question_id}`
  const shown = useComputed(() => list.rows.value?.filter((row) => !isLeaving(pathOf(row))))

  return (
    <Card flush>
      <ListTable
        list={{ ...list, rows: shown }}
        label={words.tabs.unanswered}
        rowKey={(row) => row.question_id}
        empty={
          <Empty icon="check" title={words.allAnswered}>
            {words.allAnsweredText}
          </Empty>
        }
        columns={[
          { label: words.columns.question, cell: (row) => row.question },
          { label: words.columns.asked, end: true, cell: (row) => format.value.number(row.count) },
          { label: words.columns.lastAsked, cell: (row) => <Ago at={row.last_asked_at} /> },
          {
            label: '',
            end: true,
            cell: (row) => (
              <span class="row end">
                <Button
                  small
                  href={`${BASE}/knowledge?add=1&title=${encodeURIComponent(row.question)}`}
                >
                  {words.writeAnswer}
                </Button>
                <Button
                  small
                  kind="plain"
                  icon="trash"
                  label={`${common.value.delete}: ${row.question}`}
                  onPress={() =>
                    removeLater(app, { path: pathOf(row), text: words.removed(row.question) })
                  }
                />
              </span>
            ),
          },
        ]}
      />
    </Card>
  )
}
