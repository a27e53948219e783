import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { ApiKey } from '../../../server/platform/schema.ts'
import { ApiError } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/developers.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Ago, Card, CopyBox, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'
import { KeyForm } from './key-form.tsx'

/** The workspace's keys; each is shown once, when it is made. */
export function ApiKeys({ words }: { words: Words }): VNode {
  const { api, format, words: common } = useApp()
  const list = useList<ApiKey>('api-keys', (cursor, signal) =>
    api.get('api-keys', { cursor, limit: 50 }, signal),
  )
  const isAdding = useSignal(false)
  const shown = useSignal('')
  const removed = useSignal<ApiKey | undefined>(undefined)
  const { value: error } = list.error
  if (error instanceof ApiError && error.code === 'not_in_plan') {
    return (
      <Card>
        <Empty
          icon="key"
          title={words.notInPlan}
          action={<Button href={`${BASE}/credits/plan`}>{words.seePlan}</Button>}
        >
          {words.notInPlanText}
        </Empty>
      </Card>
    )
  }
  return (
    <Card
      flush
      title={words.tabs.keys}
      actions={
        <Button small kind="primary" icon="plus" onPress={() => (isAdding.value = true)}>
          {words.add}
        </Button>
      }
    >
      <ListTable
        list={list}
        label={words.tabs.keys}
        rowKey={(row) => row.id}
        empty={
          <Empty icon="key" title={words.noKeys}>
            {words.noKeysText}
          </Empty>
        }
        columns={[
          {
            label: words.name,
            cell: (row) => (
              <>
                <strong>{row.name}</strong> <code class="soft">{`${row.prefix}…`}</code>
              </>
            ),
          },
          {
            label: words.scopes,
            cell: (row) => (
              <span class="soft small">{row.scopes?.join(', ') ?? words.allScopes}</span>
            ),
          },
          {
            label: words.addresses,
            cell: (row) => (
              <span class="soft small">{row.ip_allowlist?.join(', ') ?? words.anyAddress}</span>
            ),
          },
          {
            label: words.lastUsed,
            cell: (row) =>
              row.last_used_at === null ? common.value.never : <Ago at={row.last_used_at} />,
          },
          {
            label: words.expires,
            cell: (row) =>
              row.expires_at === null ? common.value.never : format.value.date(row.expires_at),
          },
          {
            label: words.action,
            end: true,
            cell: (row) => (
              <Button small danger onPress={() => (removed.value = row)}>
                {words.destroy}
              </Button>
            ),
          },
        ]}
      />
      {isAdding.value && (
        <KeyForm
          words={words}
          onCreated={(key) => {
            shown.value = key
            return list.reload()
          }}
          onClose={() => (isAdding.value = false)}
        />
      )}
      {shown.value !== '' && (
        <Dialog title={words.shownTitle} onClose={() => (shown.value = '')}>
          <div class="stack">
            <p>{words.shownText}</p>
            <CopyBox text={shown.value} label={words.key} />
            <p class="soft small">{words.useIt}</p>
            <CopyBox
              text={`curl ${location.origin}/api/v1/auth/me -H "Authorization: Bearer ${shown.value}"`}
              label={words.useIt}
            />
            <div class="dialog-actions">
              <Button kind="primary" onPress={() => (shown.value = '')}>
                {words.kept}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
      {removed.value && (
        <Confirm
          title={words.destroyTitle(removed.value.name)}
          action={words.destroy}
          onConfirm={async () => {
            await api.delete(`api-keys/${removed.value?.id ?? ''}`)
            await list.reload()
          }}
          onClose={() => (removed.value = undefined)}
        >
          <p>{words.destroyText}</p>
        </Confirm>
      )}
    </Card>
  )
}
