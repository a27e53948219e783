import type { VNode } from 'preact'
import type { LoginPlace } from '../../../server/platform/account/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/account/account.ts'
import { Button } from '../../ui/button.tsx'
import { Ago, Badge, Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'

/** Where the account is signed in; each place can be signed out from here. */
export function Sessions({ words }: { words: Words }): VNode {
  const { api, session, toasts, explain } = useApp()
  const list = useList<LoginPlace>('sessions', (cursor, signal) =>
    api.get('account/sessions', { cursor, limit: 20 }, signal),
  )

  async function end(row: LoginPlace): Promise<void> {
    if (row.current) {
      await session.signOut()
      return
    }
    list.change((rows) => rows.filter((each) => each.session_id !== row.session_id))
    try {
      await api.delete(`account/sessions/${row.session_id}`)
      toasts.done(words.sessionEnded(deviceOf(row, words)))
    } catch (error) {
      toasts.failed(explain(error))
      await list.reload()
    }
  }

  return (
    <Card flush title={words.tabs.sessions}>
      <ListTable
        list={list}
        label={words.tabs.sessions}
        rowKey={(row) => row.session_id}
        empty={<Empty icon="shield" title={words.noSessions} />}
        columns={[
          {
            label: words.columns.device,
            cell: (row) => (
              <span class="row">
                {deviceOf(row, words)}
                {row.current && <Badge tone="good">{words.thisDevice}</Badge>}
              </span>
            ),
          },
          { label: words.columns.network, cell: (row) => row.address ?? '–' },
          { label: words.columns.signedIn, cell: (row) => <Ago at={row.created_at} /> },
          { label: words.columns.lastUsed, cell: (row) => <Ago at={row.last_used_at} /> },
          {
            label: '',
            end: true,
            cell: (row) => (
              <Button
                small
                label={words.endSessionOf(deviceOf(row, words))}
                onPress={() => end(row)}
              >
                {words.endSession}
              </Button>
            ),
          },
        ]}
      />
    </Card>
  )
}

/** The server's “Firefox on Windows” and “Unknown device”, without words of English. */
function deviceOf({ device }: LoginPlace, words: Words): string {
  return device === 'Unknown device' ? words.unknownDevice : device.replace(' on ', ' · ')
}
