import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Subscription } from '../../../../server/subscriptions/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import { useList } from '../../../app/api/resource.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Ago, Card, Empty } from '../../../ui/page.tsx'
import { ListTable } from '../../../ui/table.tsx'
import { SecretDialog, type ShownSecret } from '../secret-dialog.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { SubscriptionState, TryAgain } from './subscription-state.tsx'

/** The subscriptions to the platform's events. */
export function Subscriptions({ words }: { words: Words }): VNode {
  const { api } = useApp()
  const list = useList<Subscription>('webhooks', (cursor, signal) =>
    api.get('webhooks', { cursor, limit: 50 }, signal),
  )
  const isAdding = useSignal(false)
  const secret = useSignal<ShownSecret | undefined>(undefined)
  const add = (
    <Button kind="primary" icon="plus" onPress={() => (isAdding.value = true)}>
      {words.addSubscription}
    </Button>
  )
  return (
    <Card flush title={words.tabs.subscriptions} actions={add}>
      <ListTable
        list={list}
        label={words.tabs.subscriptions}
        rowKey={(row) => row.id}
        empty={
          <Empty icon="webhook" title={words.noSubscriptions}>
            {words.noSubscriptionsText}
          </Empty>
        }
        columns={[
          {
            label: words.address,
            cell: (row) => (
              <a class="row-link address" href={`${BASE}/webhooks/subscriptions/${row.id}`}>
                {row.url}
              </a>
            ),
          },
          {
            label: words.events,
            cell: (row) => (
              <span class="soft small">
                {row.events.map((event) => words.platformEvents[event]).join(', ')}
              </span>
            ),
          },
          {
            label: words.columns.state,
            cell: (row) => (
              <span class="row">
                <SubscriptionState subscription={row} words={words} />
                {row.state === 'disabled' && (
                  <TryAgain subscription={row} words={words} small onTried={list.reload} />
                )}
              </span>
            ),
          },
          { label: words.columns.created, cell: (row) => <Ago at={row.created_at} /> },
        ]}
      />
      {isAdding.value && (
        <SubscriptionForm
          words={words}
          onCreated={(created) => {
            secret.value = created
            return list.reload()
          }}
          onClose={() => (isAdding.value = false)}
        />
      )}
      {secret.value && (
        <SecretDialog
          shown={secret.value}
          words={words}
          onClose={() => (secret.value = undefined)}
        />
      )}
    </Card>
  )
}
