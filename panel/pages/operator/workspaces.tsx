import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { z } from 'zod'
import type { Workspace as WorkspaceSchema } from '../../../server/workspaces/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/operator.ts'
import { Button } from '../../ui/button.tsx'
import { Ago, Badge, Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'
import { NewWorkspace } from './new-workspace.tsx'

export type Workspace = z.infer<typeof WorkspaceSchema>

/** Every workspace with its plan and what it uses. */
export function Workspaces({ words }: { words: Words }): VNode {
  const { api, format } = useApp()
  const { number } = format.value
  const list = useList<Workspace>('workspaces', (cursor, signal) =>
    api.get('operator/workspaces', { cursor, limit: 50 }, signal),
  )
  const isAdding = useSignal(false)
  return (
    <Card
      flush
      title={words.tabs.workspaces}
      actions={
        <Button small kind="primary" icon="plus" onPress={() => (isAdding.value = true)}>
          {words.add}
        </Button>
      }
    >
      <ListTable
        list={list}
        label={words.tabs.workspaces}
        rowKey={(row) => row.ws_id}
        empty={<Empty icon="team" title={words.noWorkspaces} />}
        columns={[
          {
            label: words.workspace,
            cell: (row) => (
              <span class="row">
                <a class="row-link" href={`${BASE}/operator/workspaces/${row.ws_id}`}>
                  {row.name}
                </a>
                {row.suspended && <Badge tone="wrong">{words.suspended}</Badge>}
              </span>
            ),
          },
          { label: words.plan, cell: (row) => words.plans[row.plan] },
          { label: words.used, end: true, cell: (row) => number(row.credits_used) },
          { label: words.left, end: true, cell: (row) => number(row.credits.remaining) },
          { label: words.addons, end: true, cell: (row) => number(row.credits.addons) },
          { label: words.members, end: true, cell: (row) => number(row.members) },
          { label: words.sites, end: true, cell: (row) => number(row.sites) },
          { label: words.since, cell: (row) => <Ago at={row.created_at} /> },
        ]}
      />
      {isAdding.value && (
        <NewWorkspace words={words} onMade={list.reload} onClose={() => (isAdding.value = false)} />
      )}
    </Card>
  )
}
