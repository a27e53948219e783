import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Attempt } from '../../../server/delivery/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { AnswerText } from '../../attempts/attempt-list.tsx'
import { OutcomeBadge } from '../../attempts/outcome.tsx'
import type { Words } from '../../locales/en/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SecretDialog, type ShownSecret } from './secret-dialog.tsx'

type TestOutcome = Pick<Attempt, 'status' | 'error' | 'latency_ms' | 'answer'> & { ok: boolean }

/** Actions of rules and webhook subscriptions: send a test, replace the secret, delete. */
export function EndpointActions({
  path,
  url,
  words,
  list,
  onTested,
}: {
  path: string
  url: string
  words: Words
  /** The page to go to once it is deleted. */
  list: string
  onTested: () => void
}): VNode {
  const { api, router, toasts, explain } = useApp()
  const outcome = useSignal<TestOutcome | undefined>(undefined)
  const secret = useSignal<ShownSecret | undefined>(undefined)
  const isRotating = useSignal(false)
  const isRemoving = useSignal(false)

  async function test(): Promise<void> {
    try {
      outcome.value = await api.post<TestOutcome>(`${path}/test`)
      onTested()
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <>
      <Button icon="send" onPress={test}>
        {words.test}
      </Button>
      <Menu
        label={words.moreActions}
        items={[
          { label: words.rotate, icon: 'key', onPick: () => (isRotating.value = true) },
          {
            label: words.remove,
            icon: 'trash',
            danger: true,
            onPick: () => (isRemoving.value = true),
          },
        ]}
      />
      {outcome.value && (
        <Dialog title={words.testTitle} onClose={() => (outcome.value = undefined)}>
          <div class="stack tight">
            <p>{outcome.value.ok ? words.testArrived : words.testFailed}</p>
            <OutcomeBadge outcome={outcome.value} words={words.attempts} />
            <AnswerText text={outcome.value.answer} words={words.attempts} />
          </div>
        </Dialog>
      )}
      {isRotating.value && (
        <Confirm
          title={words.rotate}
          action={words.rotateAction}
          onConfirm={async () => {
            secret.value = await api.post<ShownSecret>(`${path}/rotate-secret`)
          }}
          onClose={() => (isRotating.value = false)}
        >
          <p>{words.rotateText}</p>
        </Confirm>
      )}
      {isRemoving.value && (
        <Confirm
          title={words.removeTitle}
          action={words.remove}
          onConfirm={async () => {
            await api.delete(path)
            router.go(list)
          }}
          onClose={() => (isRemoving.value = false)}
        >
          <p>{words.removeText(url)}</p>
        </Confirm>
      )}
      {secret.value && (
        <SecretDialog
          shown={secret.value}
          words={words}
          onClose={() => (secret.value = undefined)}
        />
      )}
    </>
  )
}
