import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Tenant } from '../../../server/tenants/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Switch, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Ago, Card, Empty, SitesLoading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'

/** The websites of the workspace: add one, switch it off and on, remove it. */
export function Sites({ words }: { words: Words }): VNode {
  const { api, sites, reloadSites, toasts, explain } = useApp()
  const isAdding = useSignal(false)
  const leaving = useSignal<Tenant | undefined>(undefined)
  const all = sites.value

  async function turn(site: Tenant, active: boolean): Promise<void> {
    try {
      await api.patch(`tenants/${site.tenant_id}`, { active })
      const text = active ? words.siteOn(site.name) : words.siteOff(site.name)
      toasts.done(text, () => void turn(site, !active))
    } catch (error) {
      toasts.failed(explain(error))
    }
    await reloadSites()
  }

  async function remove({ tenant_id: id, name }: Tenant): Promise<void> {
    await api.delete(`tenants/${id}`)
    await reloadSites()
    toasts.done(words.siteRemoved(name))
  }

  if (all === undefined) return <SitesLoading />
  return (
    <>
      <Card
        flush
        title={words.tabs.sites}
        actions={
          <Button small kind="primary" icon="plus" onPress={() => (isAdding.value = true)}>
            {words.addSite}
          </Button>
        }
      >
        {all.length === 0 ? (
          <Empty icon="widget" title={words.noSites}>
            {words.noSitesText}
          </Empty>
        ) : (
          <Table
            label={words.tabs.sites}
            rows={all}
            rowKey={(row) => row.tenant_id}
            columns={[
              { label: words.columns.site, cell: (row) => <strong>{row.name}</strong> },
              { label: words.columns.id, cell: (row) => <code>{row.tenant_id}</code> },
              {
                label: words.columns.on,
                cell: (row) => (
                  <Switch
                    label={words.isOn(row.name)}
                    isOn={row.active}
                    onTurn={(isOn) => void turn(row, isOn)}
                  />
                ),
              },
              { label: words.columns.since, cell: (row) => <Ago at={row.created_at} /> },
              {
                label: '',
                end: true,
                cell: (row) => (
                  <Button
                    small
                    kind="plain"
                    icon="trash"
                    label={`${words.removeSite}: ${row.name}`}
                    onPress={() => (leaving.value = row)}
                  />
                ),
              },
            ]}
          />
        )}
      </Card>
      {isAdding.value && <AddSite words={words} onClose={() => (isAdding.value = false)} />}
      {leaving.value && (
        <Confirm
          title={words.removeSiteTitle(leaving.value.name)}
          action={words.removeSite}
          onConfirm={async () => leaving.value && remove(leaving.value)}
          onClose={() => (leaving.value = undefined)}
        >
          <p>{words.removeSiteText}</p>
        </Confirm>
      )}
    </>
  )
}

function AddSite({ words, onClose }: { words: Words; onClose: () => void }): VNode {
  const { api, reloadSites, chooseSite, toasts } = useApp()
  const form = useForm()
  const name = useSignal('')
  const id = useSignal('')

  async function send(): Promise<void> {
    const tenantId = id.value === '' ? slugOf(name.value) : id.value
    const site = await api.post<Tenant>('tenants', { tenant_id: tenantId, name: name.value })
    await reloadSites()
    chooseSite(site.tenant_id)
    toasts.done(words.siteAdded(site.name))
  }

  return (
    <Dialog title={words.addSite} onClose={onClose}>
      <Form form={form} send={send} done={onClose} action={words.addSite}>
        <TextField
          label={words.siteName}
          value={name}
          maxLength={120}
          error={form.errorOf('/name')}
        />
        <TextField
          label={words.siteId}
          hint={words.siteIdHint}
          value={id}
          placeholder={slugOf(name.value)}
          maxLength={40}
          error={form.errorOf('/tenant_id')}
        />
      </Form>
    </Dialog>
  )
}

/** Returns an id for a site's name: `Çiçek Evi` becomes `cicek-evi`. */
function slugOf(name: string): string {
  return name
    .toLocaleLowerCase('tr')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
}
