import type { VNode } from 'preact'
import type { z } from 'zod'
import type { RetryResult, Subscription } from '../../../../server/subscriptions/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/page.tsx'
import { ActiveBadge } from '../endpoint-view.tsx'
import { outcomeText } from '../../../attempts/outcome.tsx'

type Result = z.infer<typeof RetryResult>

/** The two switches of a subscription as one word. */
export function SubscriptionState({
  subscription: { state, active },
  words,
}: {
  subscription: Subscription
  words: Words
}): VNode {
  if (state === 'disabled') return <Badge tone="wrong">{words.disabled}</Badge>
  return <ActiveBadge isActive={active} words={words} />
}

/** Pings a disabled subscription; once it answers, what was kept goes out. */
export function TryAgain({
  subscription,
  words,
  onTried,
  small,
}: {
  subscription: Subscription
  words: Words
  onTried: (subscription: Subscription) => unknown
  small?: boolean
}): VNode {
  const { api, format, toasts, explain } = useApp()

  async function retry(): Promise<void> {
    try {
      const result = await api.post<Result>(`webhooks/${subscription.id}/retry`)
      if (result.ok) {
        toasts.done(words.answersAgain(result.resent, format.value.number(result.resent)))
      } else {
        const { ping } = result.subscription
        toasts.failed(words.stillSilent(ping ? outcomeText(ping, words.attempts) : '–'))
      }
      onTried(result.subscription)
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <Button kind="primary" small={small === true} icon="refresh" onPress={retry}>
      {words.tryAgain}
    </Button>
  )
}

/** Why the service stopped sending, in a sentence, with the way out. */
export function DisabledNotice({
  subscription,
  words,
  onTried,
}: {
  subscription: Subscription
  words: Words
  onTried: (subscription: Subscription) => unknown
}): VNode | null {
  const { format } = useApp()
  const { state, disabled_reason: reason, disabled_at: at, ping } = subscription
  if (state !== 'disabled') return null
  return (
    <div class="notice wrong">
      <div class="grow">
        <strong>{words.disabledTitle}</strong>
        {words.disabledReasons[reason ?? 'ping']}{' '}
        {reason === 'ping' && ping && `(${outcomeText(ping, words.attempts)}) `}
        {at !== null && words.disabledSince(format.value.dateTime(at))} {words.disabledHint}
      </div>
      <TryAgain subscription={subscription} words={words} onTried={onTried} />
    </div>
  )
}
