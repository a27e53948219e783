import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { z } from 'zod'
import type { CreatedSubscription, Subscription } from '../../../../server/subscriptions/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, useForm } from '../../../ui/form.tsx'
import { EventChoice } from '../event-choice.tsx'

type Created = z.infer<typeof CreatedSubscription>

/** Makes a subscription, or changes its address and events. */
export function SubscriptionForm({
  subscription,
  words,
  onCreated,
  onChanged,
  onClose,
}: {
  subscription?: Subscription
  words: Words
  onCreated?: (created: Created) => unknown
  onChanged?: (changed: Subscription) => unknown
  onClose: () => void
}): VNode {
  const { api, words: common } = useApp()
  const form = useForm()
  const url = useSignal(subscription?.url ?? '')
  const events = useSignal<readonly string[]>(subscription?.events ?? [])
  const secret = useSignal('')

  async function send(): Promise<void> {
    const own = secret.value === '' ? {} : { secret: secret.value }
    const body = { url: url.value.trim(), events: events.value }
    if (subscription) {
      onChanged?.(await api.patch<Subscription>(`webhooks/${subscription.id}`, body))
    } else {
      onCreated?.(await api.post<Created>('webhooks', { ...body, ...own }))
    }
  }

  return (
    <Dialog title={subscription ? words.edit : words.addSubscription} wide onClose={onClose}>
      <Form
        form={form}
        send={send}
        done={onClose}
        action={subscription ? common.value.save : words.addAction}
      >
        <TextField
          label={words.address}
          hint={words.subscriptionAddressHint}
          value={url}
          type="url"
          placeholder="https://crm.example/hook"
          error={form.errorOf('/url')}
        />
        <EventChoice
          names={words.platformEvents}
          chosen={events}
          words={words}
          error={form.errorOf('/events')}
        />
        {!subscription && (
          <TextField
            label={`${words.secret} (${common.value.optional})`}
            hint={words.ownSecretHint('32')}
            value={secret}
            autocomplete="off"
            error={form.errorOf('/secret')}
          />
        )}
      </Form>
    </Dialog>
  )
}
