import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import type { Page } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Ago, Card, Empty } from '../../ui/page.tsx'
import { ListTable, type Column } from '../../ui/table.tsx'
import { SecretDialog, type ShownSecret } from './secret-dialog.tsx'

/** The answer to an added endpoint; a secret of one's own is not shown again. */
interface NewEndpoint {
  secret?: string | undefined
  standard_secret?: string | undefined
}

/** The endpoints of one family: their table, the form that adds one, and its secret, shown once. */
export function EndpointList<Row extends { created_at: string }>({
  path,
  title,
  add,
  empty,
  rowKey,
  columns,
  form,
  words,
}: {
  /** Of the list in the API. */
  path: string
  title: string
  add: string
  empty: { title: string; text: string }
  rowKey: (row: Row) => string
  columns: (reload: () => Promise<void>) => readonly Column<Row>[]
  form: (handlers: {
    onCreated: (created: NewEndpoint) => unknown
    onClose: () => void
  }) => ComponentChildren
  words: Words
}): VNode {
  const { api } = useApp()
  const list = useList<Row>(path, (cursor, signal) =>
    api.get<Page<Row>>(path, { cursor, limit: 50 }, signal),
  )
  const isAdding = useSignal(false)
  const shown = useSignal<ShownSecret | undefined>(undefined)
  return (
    <Card
      flush
      title={title}
      actions={
        <Button small kind="primary" icon="plus" onPress={() => (isAdding.value = true)}>
          {add}
        </Button>
      }
    >
      <ListTable
        list={list}
        label={title}
        rowKey={rowKey}
        empty={
          <Empty icon="webhook" title={empty.title}>
            {empty.text}
          </Empty>
        }
        columns={[
          ...columns(list.reload),
          { label: words.columns.added, cell: (row) => <Ago at={row.created_at} /> },
        ]}
      />
      {isAdding.value &&
        form({
          onCreated({ secret, standard_secret: standard }) {
            if (secret !== undefined && standard !== undefined) {
              shown.value = { secret, standard_secret: standard }
            }
            return list.reload()
          },
          onClose: () => (isAdding.value = false),
        })}
      {shown.value && (
        <SecretDialog shown={shown.value} words={words} onClose={() => (shown.value = undefined)} />
      )}
    </Card>
  )
}

/** The events of an endpoint in one line. */
export function EventNames({ names }: { names: readonly string[] }): VNode {
  return <span class="soft small">{names.join(', ')}</span>
}
