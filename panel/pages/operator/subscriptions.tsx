import type { VNode } from 'preact'
import type { z } from 'zod'
import type { OperatorSubscription } from '../../../server/operator/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/operator.ts'
import { Ago, Badge, Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'

type Row = z.infer<typeof OperatorSubscription>

/** Webhook subscriptions of every workspace. */
export function Subscriptions({ words }: { words: Words }): VNode {
  const { api } = useApp()
  const list = useList<Row>('subscriptions', (cursor, signal) =>
    api.get('operator/subscriptions', { cursor, limit: 50 }, signal),
  )
  return (
    <Card flush>
      <ListTable
        list={list}
        label={words.tabs.subscriptions}
        rowKey={(row) => row.id}
        empty={<Empty icon="webhook" title={words.noSubscriptions} />}
        columns={[
          { label: words.workspace, cell: (row) => row.workspace },
          { label: words.address, cell: (row) => <span class="address">{row.url}</span> },
          {
            label: words.state,
            cell: (row) =>
              row.state === 'disabled' ? (
                <Badge tone="wrong">{words.disabledReasons[row.disabled_reason ?? 'ping']}</Badge>
              ) : row.active ? (
                <Badge tone="good">{words.works}</Badge>
              ) : (
                <Badge>{words.off}</Badge>
              ),
          },
          {
            label: words.since,
            cell: (row) => <Ago at={row.disabled_at ?? row.created_at} />,
          },
        ]}
      />
    </Card>
  )
}
