import type { VNode } from 'preact'
import type { MailState } from '../../../server/workspaces/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card, Loaded } from '../../ui/page.tsx'

/** Whether mails are sent, and a mail to oneself that shows it. */
export function Mail({ words }: { words: Words }): VNode {
  const { api, toasts, explain, format } = useApp()
  const state = useResource<MailState>('mail', (signal) => api.get('workspace/mail', {}, signal))

  async function sendTest(): Promise<void> {
    try {
      const { to } = await api.post<{ to: string }>('workspace/mail/test')
      toasts.done(words.testSent(to))
      await state.reload()
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <Loaded of={state}>
      {({ configured, sender, waiting, failed }) => (
        <div class="settings">
          <Card
            title={words.tabs.mail}
            actions={
              configured && (
                <Button small icon="send" onPress={sendTest}>
                  {words.sendTest}
                </Button>
              )
            }
          >
            <div class="stack">
              <p class="soft">{words.mailLead}</p>
              {configured ? (
                <p>
                  <Badge tone="good">{words.mailOn}</Badge>
                </p>
              ) : (
                <p class="row">
                  <span class="dot warn" />
                  <span class="grow">{words.mailOff}</span>
                </p>
              )}
              <dl class="definitions">
                <dt>{words.sender}</dt>
                <dd>{sender ?? words.standardSender}</dd>
                <dt>{words.waiting}</dt>
                <dd>{format.value.number(waiting)}</dd>
                <dt>{words.failed}</dt>
                <dd>{format.value.number(failed)}</dd>
              </dl>
            </div>
          </Card>
        </div>
      )}
    </Loaded>
  )
}
