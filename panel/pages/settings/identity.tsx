import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Card, CopyBox } from '../../ui/page.tsx'
import { OfSite } from './of-site.tsx'

interface Answer {
  identity_secret: string
}

/** The secret with which a site's server signs who is signed in there. */
export function Identity({ words }: { words: Words }): VNode {
  return (
    <OfSite words={words} lead={words.identityLead}>
      {(site) => <Secret key={site.tenant_id} tenantId={site.tenant_id} words={words} />}
    </OfSite>
  )
}

function Secret({ tenantId, words }: { tenantId: string; words: Words }): VNode {
  const { api, toasts, explain } = useApp()
  const secret = useSignal('')
  const isRotating = useSignal(false)
  const path = `tenants/${tenantId}/identity-secret`

  async function show(): Promise<void> {
    try {
      secret.value = (await api.get<Answer>(path)).identity_secret
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <Card title={words.tabs.identity}>
      <div class="stack">
        {secret.value !== '' && <CopyBox text={secret.value} label={words.secret} />}
        <p class="soft small">{words.secretHint}</p>
        <div class="row">
          {secret.value === '' && (
            <Button icon="key" onPress={show}>
              {words.showSecret}
            </Button>
          )}
          <Button kind="plain" danger onPress={() => (isRotating.value = true)}>
            {words.rotate}
          </Button>
        </div>
      </div>
      {isRotating.value && (
        <Confirm
          title={words.rotateTitle}
          action={words.rotate}
          onConfirm={async () => {
            secret.value = (await api.post<Answer>(`${path}/rotate`)).identity_secret
            toasts.done(words.rotated)
          }}
          onClose={() => (isRotating.value = false)}
        >
          <p>{words.rotateText}</p>
        </Confirm>
      )}
    </Card>
  )
}
