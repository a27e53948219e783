import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Subscription, SubscriptionDelivery } from '../../../../server/subscriptions/schema.ts'
import type { Page } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import { useResource } from '../../../app/api/resource.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { BackLink, Loaded } from '../../../ui/page.tsx'
import { Deliveries } from '../deliveries/deliveries.tsx'
import { EndpointView } from '../endpoint-view.tsx'
import { RecoverDialog } from '../deliveries/recover-dialog.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { DisabledNotice, SubscriptionState } from './subscription-state.tsx'

const STATES = ['waiting', 'sending', 'held', 'delivered', 'failed', 'cancelled', 'expired']

/** One subscription: its state in words, what it waits for, and what it was sent. */
export function SubscriptionPage({ id, words }: { id: string; words: Words }): VNode {
  const { api } = useApp()
  const path = `webhooks/${id}`
  const subscription = useResource<Subscription>(path, (signal) => api.get(path, {}, signal))
  return (
    <div class="stack">
      <BackLink path="/webhooks">{words.tabs.subscriptions}</BackLink>
      <Loaded of={subscription}>
        {(value) => <SubscriptionView value={value} words={words} onChange={subscription.set} />}
      </Loaded>
    </div>
  )
}

function SubscriptionView({
  value,
  words,
  onChange,
}: {
  value: Subscription
  words: Words
  onChange: (value: Subscription) => void
}): VNode {
  const { api } = useApp()
  const path = `webhooks/${value.id}`
  const isRecovering = useSignal(false)
  const revision = useSignal(0)
  const sent = (): void => {
    revision.value += 1
  }

  return (
    <>
      <EndpointView
        value={value}
        path={path}
        list="/webhooks"
        title={value.url}
        badge={<SubscriptionState subscription={value} words={words} />}
        notice={
          <DisabledNotice
            subscription={value}
            words={words}
            onTried={(tried) => {
              onChange(tried)
              sent()
            }}
          />
        }
        events={value.events.map((event) => [event, words.platformEvents[event]])}
        form={(onClose) => (
          <SubscriptionForm
            subscription={value}
            words={words}
            onChanged={onChange}
            onClose={onClose}
          />
        )}
        words={words}
        onChange={onChange}
        onTested={sent}
      />
      <Deliveries
        path={path}
        states={STATES}
        words={words}
        revision={revision.value}
        read={(cursor, signal, state) =>
          api.get<Page<SubscriptionDelivery>>(
            `${path}/deliveries`,
            { cursor, limit: 50, state: state === '' ? undefined : state },
            signal,
          )
        }
        canResend={(row) =>
          row.state === 'failed' && row.event !== 'ping' && value.state === 'active' && value.active
        }
        resend={(row) => api.post(`${path}/deliveries/${row.id}/retry`)}
        extra={
          value.state === 'active' &&
          value.active && (
            <Button onPress={() => (isRecovering.value = true)}>{words.recover}</Button>
          )
        }
      />
      {isRecovering.value && (
        <RecoverDialog
          path={path}
          words={words}
          onSent={sent}
          onClose={() => (isRecovering.value = false)}
        />
      )}
    </>
  )
}
