import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Integration } from '../../../../server/integrations/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import { useList } from '../../../app/api/resource.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Ago, Badge, Card, CopyBox, Empty } from '../../../ui/page.tsx'
import { ListTable } from '../../../ui/table.tsx'
import { IntegrationForm, type Created } from './integration-form.tsx'
import { nameOf } from './integration-kinds.ts'

/** Messaging apps, social accounts, payment providers and own programs. */
export function Integrations({ words }: { words: Words }): VNode {
  const { api, sites, words: common } = useApp()
  const list = useList<Integration>('integrations', (cursor, signal) =>
    api.get('integrations', { cursor, limit: 50 }, signal),
  )
  const isAdding = useSignal(false)
  const created = useSignal<Created | undefined>(undefined)
  const siteName = (id: string): string =>
    sites.value?.find((site) => site.tenant_id === id)?.name ?? id
  return (
    <Card
      flush
      title={words.tabs.integrations}
      actions={
        <Button small kind="primary" icon="plus" onPress={() => (isAdding.value = true)}>
          {words.addIntegration}
        </Button>
      }
    >
      <ListTable
        list={list}
        label={words.tabs.integrations}
        rowKey={(row) => row.integration_id}
        empty={
          <Empty icon="link" title={words.noIntegrations}>
            {words.noIntegrationsText}
          </Empty>
        }
        columns={[
          {
            label: words.integrationName,
            cell: (row) => (
              <a class="row-link" href={`${BASE}/webhooks/integrations/${row.integration_id}`}>
                {nameOf(row, words)}
              </a>
            ),
          },
          { label: words.columns.kind, cell: (row) => words.kinds[row.kind] },
          { label: common.value.site, cell: (row) => siteName(row.tenant_id) },
          {
            label: words.columns.state,
            cell: (row) =>
              row.active ? (
                <Badge tone="good">{words.connected}</Badge>
              ) : (
                <Badge>{words.switchedOff}</Badge>
              ),
          },
          { label: words.columns.added, cell: (row) => <Ago at={row.created_at} /> },
        ]}
      />
      {isAdding.value && (
        <IntegrationForm
          words={words}
          onCreated={(made) => {
            created.value = made
            return list.reload()
          }}
          onClose={() => (isAdding.value = false)}
        />
      )}
      {created.value && (
        <SetupDialog
          created={created.value}
          words={words}
          onClose={() => (created.value = undefined)}
        />
      )}
    </Card>
  )
}

/** The values to enter at the provider: the address, and the secret, which is shown once. */
function SetupDialog({
  created,
  words,
  onClose,
}: {
  created: Created
  words: Words
  onClose: () => void
}): VNode {
  const { title, steps } = words.setup[created.kind]
  return (
    <Dialog title={title} wide onClose={onClose}>
      <div class="stack">
        <p>{words.secretOnce}</p>
        <h3>{words.callbackUrl}</h3>
        <CopyBox text={created.url} label={words.callbackUrl} />
        {created.kind !== 'stripe' && (
          <>
            <h3>{words.secretNames[created.kind]}</h3>
            <CopyBox text={created.secret} label={words.secretNames[created.kind]} />
          </>
        )}
        <ol class="steps">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {created.kind === 'telegram' && (
          <CopyBox text={telegramCommand(created)} label={words.command} />
        )}
        <div class="dialog-actions">
          <Button kind="primary" onPress={onClose}>
            {words.secretKept}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function telegramCommand({ url, secret }: Created): string {
  return [
    'curl "https://api.telegram.org/bot$BOT_TOKEN/setWebhook" \\',
    `  -d "url=${url}" -d "secret_token=${secret}" \\`,
    `  -d 'allowed_updates=["message"]'`,
  ].join('\n')
}
