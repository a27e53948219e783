import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Card, Empty } from '../../ui/page.tsx'

/** Takes the workspace away as a file, or closes it. */
export function Data({ words }: { words: Words }): VNode {
  const { session, workspace } = useApp()
  const isClosing = useSignal(false)
  if (session.me.value?.user.role !== 'owner') {
    return <Empty icon="shield" title={words.ownersOnly} />
  }
  return (
    <div class="settings stack">
      <Card title={words.exportTitle}>
        <div class="stack">
          <p class="soft">{words.exportText}</p>
          <div class="row">
            <Button icon="download" href="/api/v1/workspace/export" download="sohbet.zip">
              {words.exportAction}
            </Button>
          </div>
        </div>
      </Card>
      {!workspace.value?.closes_at && (
        <Card title={words.closeTitle}>
          <div class="stack">
            <p class="soft">{words.closeText}</p>
            <div class="row">
              <Button danger onPress={() => (isClosing.value = true)}>
                {words.closeAction}
              </Button>
            </div>
          </div>
        </Card>
      )}
      {isClosing.value && <Close words={words} onClose={() => (isClosing.value = false)} />}
    </div>
  )
}

function Close({ words, onClose }: { words: Words; onClose: () => void }): VNode {
  const { api, format, reloadSites, reloadWorkspace, toasts } = useApp()
  const form = useForm()
  const password = useSignal('')

  async function send(): Promise<void> {
    const { closes_at: at } = await api.post<{ closes_at: string }>('workspace/close', {
      password: password.value,
    })
    await Promise.all([reloadWorkspace(), reloadSites()])
    toasts.done(words.closed(format.value.date(at)))
  }

  return (
    <Dialog title={words.closeTitle} onClose={onClose}>
      <Form form={form} send={send} done={onClose} action={words.closeAction} danger>
        <p>{words.closeText}</p>
        <TextField
          label={words.closeAgain}
          value={password}
          type="password"
          autocomplete="current-password"
          error={form.errorOf('/password') && words.wrongPassword}
        />
      </Form>
    </Dialog>
  )
}
