import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Subscription, SubscriptionDelivery } from '../../../../server/subscriptions/schema.ts'
import type { Page } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import { useResource } from '../../../app/api/resource.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/field.tsx'
import { Card, Loaded, PageHead } from '../../../ui/page.tsx'
import { Deliveries } from '../deliveries/deliveries.tsx'
import { EndpointActions } from '../endpoint-actions.tsx'
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
      <p>
        <a href={`${BASE}/webhooks`}>{words.tabs.subscriptions}</a>
      </p>
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
  const { api, toasts, explain } = useApp()
  const path = `webhooks/${value.id}`
  const isEditing = useSignal(false)
  const isRecovering = useSignal(false)
  const revision = useSignal(0)
  const isActive = useSignal(value.active)
  const sent = (): void => {
    revision.value += 1
  }

  async function switchTo(active: boolean): Promise<void> {
    onChange({ ...value, active })
    try {
      onChange(await api.patch<Subscription>(path, { active }))
    } catch (error) {
      onChange(value)
      isActive.value = value.active
      toasts.failed(explain(error))
    }
  }

  return (
    <>
      <PageHead title={value.url}>
        <SubscriptionState subscription={value} words={words} />
        <Button icon="edit" onPress={() => (isEditing.value = true)}>
          {words.edit}
        </Button>
        <EndpointActions
          path={path}
          url={value.url}
          words={words}
          list="/webhooks"
          onTested={sent}
        />
      </PageHead>
      <DisabledNotice
        subscription={value}
        words={words}
        onTried={(tried) => {
          onChange(tried)
          sent()
        }}
      />
      <Card title={words.events}>
        <div class="stack">
          <ul class="events">
            {value.events.map((event) => (
              <li key={event}>
                {words.platformEvents[event]}
                <code>{event}</code>
              </li>
            ))}
          </ul>
          <CheckField
            look="switch"
            label={words.switchLabel}
            hint={words.switchHint}
            value={isActive}
            onPick={(active) => void switchTo(active)}
          />
        </div>
      </Card>
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
      {isEditing.value && (
        <SubscriptionForm
          subscription={value}
          words={words}
          onChanged={onChange}
          onClose={() => (isEditing.value = false)}
        />
      )}
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
