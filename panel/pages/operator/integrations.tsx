import type { VNode } from 'preact'
import type { z } from 'zod'
import type { OperatorIntegration } from '../../../server/operator/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/operator.ts'
import { Ago, Badge, Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'

type Row = z.infer<typeof OperatorIntegration>

/** Integrations of every workspace. */
export function Integrations({ words }: { words: Words }): VNode {
  const { api } = useApp()
  const list = useList<Row>('integrations', (cursor, signal) =>
    api.get('operator/integrations', { cursor, limit: 50 }, signal),
  )
  return (
    <Card flush>
      <ListTable
        list={list}
        label={words.tabs.integrations}
        rowKey={(row) => row.integration_id}
        empty={<Empty icon="link" title={words.noIntegrations} />}
        columns={[
          { label: words.workspace, cell: (row) => row.workspace },
          {
            label: words.name,
            cell: (row) => (row.name === row.kind ? words.integrationKinds[row.kind] : row.name),
          },
          { label: words.kind, cell: (row) => words.integrationKinds[row.kind] },
          {
            label: words.state,
            cell: (row) => (
              <span class="row">
                {row.active ? <Badge tone="good">{words.works}</Badge> : <Badge>{words.off}</Badge>}
                {row.billing && <Badge tone="accent">{words.billing}</Badge>}
              </span>
            ),
          },
          { label: words.since, cell: (row) => <Ago at={row.created_at} /> },
        ]}
      />
    </Card>
  )
}
