import type { VNode } from 'preact'
import type { z } from 'zod'
import type { OperatorDeadLetter } from '../../../server/operator/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/operator.ts'
import { Button } from '../../ui/button.tsx'
import { Ago, Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'

type Letter = z.infer<typeof OperatorDeadLetter>

/** Dead letters of every workspace, without what they say. */
export function DeadLetters({ words }: { words: Words }): VNode {
  const { api, format, toasts, explain } = useApp()
  const list = useList<Letter>('letters', (cursor, signal) =>
    api.get('operator/dead-letters', { cursor, limit: 50 }, signal),
  )

  async function resend({ webhook_id: id }: Letter): Promise<void> {
    try {
      await api.post(`operator/dead-letters/${id}/retry`)
      list.change((rows) => rows.filter((row) => row.webhook_id !== id))
      toasts.done(words.sentAgain)
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <Card flush>
      <ListTable
        list={list}
        label={words.tabs['dead-letters']}
        rowKey={(row) => row.webhook_id}
        empty={<Empty icon="check" title={words.noLetters} />}
        columns={[
          { label: words.workspace, cell: (row) => row.workspace },
          { label: words.event, cell: (row) => row.event },
          {
            label: words.address,
            cell: (row) => <span class="address">{row.url ?? words.ruleDeleted}</span>,
          },
          { label: words.attempts, end: true, cell: (row) => format.value.number(row.attempts) },
          { label: words.died, cell: (row) => <Ago at={row.died_at} /> },
          { label: words.lastDay, cell: (row) => format.value.date(row.expires_at) },
          {
            label: words.action,
            end: true,
            cell: (row) => (
              <Button small onPress={() => resend(row)}>
                {words.sendAgain}
              </Button>
            ),
          },
        ]}
      />
    </Card>
  )
}
