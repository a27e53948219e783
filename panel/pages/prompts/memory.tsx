import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { z } from 'zod'
import type { Fact as FactSchema } from '../../../server/prompts/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/prompts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { AreaField, CheckField, SelectField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'

type Fact = z.infer<typeof FactSchema>

/** The facts that prompts and answers may use. */
export function Memory({ words }: { words: Words }): VNode {
  const { session } = useApp()
  if (!session.me.value?.features.includes('memory')) {
    return (
      <Empty icon="prompt" title={words.noMemory}>
        {words.noMemoryText}
      </Empty>
    )
  }
  return <Facts words={words} />
}

function Facts({ words }: { words: Words }): VNode {
  const { api, sites, toasts, explain, words: common } = useApp()
  const editing = useSignal<Fact | 'new' | undefined>(undefined)
  const list = useList<Fact>('memory', (cursor, signal) =>
    api.get('memory', { cursor, limit: 50 }, signal),
  )

  async function forget(fact: Fact): Promise<void> {
    list.change((rows) => rows.filter(({ key }) => key !== fact.key))
    try {
      await api.delete(`memory/${fact.key}`)
      const { value, tenant_id, public: isPublic } = fact
      toasts.done(words.factGone(fact.key), () => {
        void api
          .put(`memory/${fact.key}`, { value, tenant_id, public: isPublic })
          .then(list.reload)
          .catch((error: unknown) => toasts.failed(explain(error)))
      })
    } catch (error) {
      toasts.failed(explain(error))
      await list.reload()
    }
  }

  const nameOf = (tenantId: string | null): string =>
    sites.value?.find(({ tenant_id: id }) => id === tenantId)?.name ?? words.everySite
  return (
    <Card
      flush
      title={words.tabs.memory}
      actions={
        <Button small kind="primary" icon="plus" onPress={() => (editing.value = 'new')}>
          {words.addFact}
        </Button>
      }
    >
      <ListTable
        list={list}
        label={words.tabs.memory}
        rowKey={(row) => row.key}
        empty={
          <Empty icon="note" title={words.noFacts}>
            {words.noFactsText}
          </Empty>
        }
        columns={[
          { label: words.columns.key, cell: (row) => <code>{row.key}</code> },
          { label: words.columns.value, cell: (row) => <span class="long">{row.value}</span> },
          { label: words.site, cell: (row) => nameOf(row.tenant_id) },
          {
            label: words.columns.visible,
            cell: (row) => (row.public ? common.value.yes : common.value.no),
          },
          {
            label: '',
            end: true,
            cell: (row) => (
              <>
                <Button
                  small
                  kind="plain"
                  icon="edit"
                  label={`${words.editFact}: ${row.key}`}
                  onPress={() => (editing.value = row)}
                />
                <Button
                  small
                  kind="plain"
                  icon="trash"
                  label={`${words.forget}: ${row.key}`}
                  onPress={() => forget(row)}
                />
              </>
            ),
          },
        ]}
      />
      {editing.value !== undefined && (
        <FactForm
          fact={editing.value === 'new' ? undefined : editing.value}
          words={words}
          onSaved={list.reload}
          onClose={() => (editing.value = undefined)}
        />
      )}
    </Card>
  )
}

function FactForm({
  fact,
  words,
  onSaved,
  onClose,
}: {
  fact: Fact | undefined
  words: Words
  onSaved: () => Promise<void>
  onClose: () => void
}): VNode {
  const { api, sites, words: common } = useApp()
  const form = useForm()
  const key = useSignal(fact?.key ?? '')
  const value = useSignal(fact?.value ?? '')
  const site = useSignal(fact?.tenant_id ?? '')
  const isPublic = useSignal(fact?.public ?? false)

  async function send(): Promise<void> {
    await api.put(`memory/${encodeURIComponent(key.value.trim())}`, {
      value: value.value,
      tenant_id: site.value === '' ? null : site.value,
      public: isPublic.value,
    })
    await onSaved()
  }

  return (
    <Dialog title={fact ? words.editFact : words.addFact} onClose={onClose}>
      <Form form={form} send={send} done={onClose} action={common.value.save}>
        {!fact && (
          <TextField
            label={words.key}
            hint={words.keyHint}
            value={key}
            maxLength={64}
            error={form.errorOf('/key')}
          />
        )}
        <AreaField label={words.value} value={value} dir="auto" error={form.errorOf('/value')} />
        <SelectField
          label={words.site}
          value={site}
          options={[
            { value: '', label: words.everySite },
            ...(sites.value ?? []).map((each) => ({ value: each.tenant_id, label: each.name })),
          ]}
        />
        <CheckField label={words.isPublic} value={isPublic} />
      </Form>
    </Dialog>
  )
}
