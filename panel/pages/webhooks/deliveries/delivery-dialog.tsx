import type { VNode } from 'preact'
import type { Attempt } from '../../../../server/delivery/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import { AttemptList } from '../../../attempts/attempt-list.tsx'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { CopyBox } from '../../../ui/page.tsx'

/** A delivery of either family. */
export interface ShownDelivery {
  id: string
  event: string
  state: string
  created_at: string
  next_attempt_at: string | null
  attempts: readonly Attempt[]
  /** As it is sent; null once the delivery is over. */
  body: string | null
}

/** One delivery: each attempt with its time, status, latency and answer, and the body. */
export function DeliveryDialog({
  delivery,
  words,
  onClose,
}: {
  delivery: ShownDelivery
  words: Words
  onClose: () => void
}): VNode {
  const { format } = useApp()
  const { attempts, body, next_attempt_at: nextAt } = delivery
  return (
    <Dialog title={delivery.event} wide onClose={onClose}>
      <div class="stack">
        <dl class="definitions">
          <dt>ID</dt>
          <dd>
            <code>{delivery.id}</code>
          </dd>
          <dt>{words.columns.state}</dt>
          <dd>{words.deliveryStates[delivery.state] ?? delivery.state}</dd>
          <dt>{words.columns.created}</dt>
          <dd>{format.value.dateTime(delivery.created_at)}</dd>
          {nextAt !== null && (
            <>
              <dt>{words.nextAttempt}</dt>
              <dd>{format.value.dateTime(nextAt)}</dd>
            </>
          )}
        </dl>
        <h3>{words.attempts.title}</h3>
        <AttemptList attempts={attempts} words={words.attempts} />
        <h3>{words.body}</h3>
        {body === null ? (
          <p class="soft">{words.bodyDeleted}</p>
        ) : (
          <CopyBox text={pretty(body)} label={words.body} />
        )}
      </div>
    </Dialog>
  )
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}
