import type { VNode } from 'preact'
import type { Subscription } from '../../../../server/subscriptions/schema.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { EndpointList, EventNames } from '../endpoint-list.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { SubscriptionState, TryAgain } from './subscription-state.tsx'

/** The subscriptions to the platform's events. */
export function Subscriptions({ words }: { words: Words }): VNode {
  return (
    <EndpointList<Subscription>
      path="webhooks"
      title={words.tabs.subscriptions}
      add={words.addSubscription}
      empty={{ title: words.noSubscriptions, text: words.noSubscriptionsText }}
      rowKey={(row) => row.id}
      columns={(reload) => [
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
            <EventNames names={row.events.map((event) => words.platformEvents[event])} />
          ),
        },
        {
          label: words.columns.state,
          cell: (row) => (
            <span class="row">
              <SubscriptionState subscription={row} words={words} />
              {row.state === 'disabled' && (
                <TryAgain subscription={row} words={words} small onTried={reload} />
              )}
            </span>
          ),
        },
      ]}
      form={(handlers) => <SubscriptionForm words={words} {...handlers} />}
      words={words}
    />
  )
}
