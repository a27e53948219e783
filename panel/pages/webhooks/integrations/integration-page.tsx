import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { z } from 'zod'
import type {
  InboundEvent,
  Integration,
  OutboundMessage,
} from '../../../../server/integrations/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import { useList, useResource } from '../../../app/api/resource.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { CheckField } from '../../../ui/field.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Ago, BackLink, Badge, Card, CopyBox, Empty, Loaded, PageHead } from '../../../ui/page.tsx'
import { ListTable } from '../../../ui/table.tsx'
import { IntegrationForm } from './integration-form.tsx'
import { nameOf } from './integration-kinds.ts'

type Inbound = z.infer<typeof InboundEvent>
type Outbound = z.infer<typeof OutboundMessage>
const TONES = { waiting: 'accent', done: 'good', failed: 'wrong', cancelled: 'plain' } as const

/** One integration: how it is set up, and what came and went. */
export function IntegrationPage({ id, words }: { id: string; words: Words }): VNode {
  const { api } = useApp()
  const path = `integrations/${id}`
  const integration = useResource<Integration>(path, (signal) => api.get(path, {}, signal))
  return (
    <div class="stack">
      <BackLink path="/webhooks/integrations">{words.tabs.integrations}</BackLink>
      <Loaded of={integration}>
        {(value) => (
          <>
            <IntegrationView value={value} path={path} words={words} onChange={integration.set} />
            <Inbounds path={path} words={words} />
            {(value.kind === 'whatsapp' || value.kind === 'telegram' || value.kind === 'meta') && (
              <Outbounds path={path} words={words} />
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

function IntegrationView({
  value,
  path,
  words,
  onChange,
}: {
  value: Integration
  path: string
  words: Words
  onChange: (value: Integration) => void
}): VNode {
  const { api, router, toasts, explain } = useApp()
  const isEditing = useSignal(false)
  const isRemoving = useSignal(false)
  const isActive = useSignal(value.active)

  async function switchTo(active: boolean): Promise<void> {
    try {
      onChange(await api.patch<Integration>(path, { active }))
    } catch (error) {
      isActive.value = value.active
      toasts.failed(explain(error))
    }
  }

  return (
    <>
      <PageHead title={nameOf(value, words)} lead={words.kinds[value.kind]}>
        <Button icon="edit" onPress={() => (isEditing.value = true)}>
          {words.edit}
        </Button>
        <Menu
          label={words.moreActions}
          items={[
            {
              label: words.remove,
              icon: 'trash',
              danger: true,
              onPick: () => (isRemoving.value = true),
            },
          ]}
        />
      </PageHead>
      <Card title={words.setup[value.kind].title}>
        <div class="stack">
          <CopyBox text={value.url} label={words.callbackUrl} />
          <ol class="steps">
            {words.setup[value.kind].steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {value.billing && <Badge tone="accent">{words.billing}</Badge>}
          <CheckField
            look="switch"
            label={words.integrationSwitch}
            value={isActive}
            onPick={(active) => void switchTo(active)}
          />
        </div>
      </Card>
      {isEditing.value && (
        <IntegrationForm
          integration={value}
          words={words}
          onChanged={onChange}
          onClose={() => (isEditing.value = false)}
        />
      )}
      {isRemoving.value && (
        <Confirm
          title={words.removeIntegrationTitle}
          action={words.remove}
          onConfirm={async () => {
            await api.delete(path)
            router.go('/webhooks/integrations')
          }}
          onClose={() => (isRemoving.value = false)}
        >
          <p>{words.removeIntegrationText}</p>
        </Confirm>
      )}
    </>
  )
}

function Inbounds({ path, words }: { path: string; words: Words }): VNode {
  const { api } = useApp()
  const list = useList<Inbound>(`${path}/events`, (cursor, signal) =>
    api.get(`${path}/events`, { cursor, limit: 50 }, signal),
  )
  return (
    <Card
      flush
      title={words.received}
      actions={<Button icon="refresh" kind="plain" label={words.refresh} onPress={list.reload} />}
    >
      <ListTable
        list={list}
        label={words.received}
        rowKey={(row) => row.event_id}
        empty={
          <Empty icon="inbox" title={words.nothingReceived}>
            {words.nothingReceivedText}
          </Empty>
        }
        columns={[
          { label: words.columns.created, cell: (row) => <Ago at={row.received_at} /> },
          {
            label: words.columns.id,
            cell: (row) => <code class="address">{row.provider_event_id}</code>,
          },
          {
            label: words.columns.state,
            cell: (row) => <Badge tone={TONES[row.state]}>{words.queueStates[row.state]}</Badge>,
          },
          { label: words.columns.error, cell: (row) => row.error ?? '–' },
        ]}
      />
    </Card>
  )
}

function Outbounds({ path, words }: { path: string; words: Words }): VNode {
  const { api } = useApp()
  const list = useList<Outbound>(`${path}/messages`, (cursor, signal) =>
    api.get(`${path}/messages`, { cursor, limit: 50 }, signal),
  )
  return (
    <Card flush title={words.sent}>
      <ListTable
        list={list}
        label={words.sent}
        rowKey={(row) => row.outbound_id}
        empty={
          <Empty icon="send" title={words.nothingSent}>
            {words.nothingSentText}
          </Empty>
        }
        columns={[
          { label: words.columns.created, cell: (row) => <Ago at={row.created_at} /> },
          {
            label: words.columns.state,
            cell: (row) => <Badge tone={TONES[row.state]}>{words.queueStates[row.state]}</Badge>,
          },
          {
            label: words.columns.conversation,
            cell: (row) =>
              row.session_id === null ? (
                '–'
              ) : (
                <a href={`${BASE}/inbox/${row.session_id}`}>{words.open}</a>
              ),
          },
          { label: words.columns.error, cell: (row) => row.error ?? '–' },
        ]}
      />
    </Card>
  )
}
