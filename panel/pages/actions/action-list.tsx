import { useComputed, useSignal } from '@preact/signals'
import type { FunctionComponent, VNode } from 'preact'
import type { Action } from '../../../server/actions/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { isLeaving, removeLater } from '../../app/alerts/late-removal.ts'
import { useList } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/actions.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Ago, Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'
import type { ImportDialogProps } from './import-dialog.tsx'

/** The actions of a site, each with its switch. */
export function ActionList({ base, words }: { base: string; words: Words }): VNode {
  const app = useApp()
  const { api, toasts, explain } = app
  const list = useList<Action>(base, (cursor, signal) =>
    api.get(base, { cursor, limit: 50 }, signal),
  )
  const pathOf = (row: Action): string => `${base}/${row.action_id}`
  const shown = useComputed(() => list.rows.value?.filter((row) => !isLeaving(pathOf(row))))
  const importDialog = useSignal<FunctionComponent<ImportDialogProps> | undefined>(undefined)
  const Dialog = importDialog.value

  function show(changed: Action): void {
    list.change((rows) =>
      rows.map((each) => (each.action_id === changed.action_id ? changed : each)),
    )
  }

  async function turn(row: Action, active: boolean): Promise<void> {
    show({ ...row, active })
    try {
      const changed = await api.patch<Action>(pathOf(row), { active })
      show(changed)
      toasts.done(words.turned(row.name, active), () => void turn(changed, !active))
    } catch (error) {
      show(row)
      toasts.failed(explain(error))
    }
  }

  async function openImport(): Promise<void> {
    // Few import: the dialog is loaded when somebody does.
    try {
      const { ImportDialog } = await import('./import-dialog.tsx')
      importDialog.value = ImportDialog
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <Card
      flush
      title={words.title}
      actions={
        <>
          <Button small icon="upload" onPress={openImport}>
            {words.import.button}
          </Button>
          <Button small kind="primary" icon="plus" href={`${BASE}/actions/new`}>
            {words.add}
          </Button>
        </>
      }
    >
      <ListTable
        list={{ ...list, rows: shown }}
        label={words.title}
        rowKey={(row) => row.action_id}
        empty={
          <Empty icon="bolt" title={words.emptyTitle}>
            {words.emptyText}
          </Empty>
        }
        columns={[
          {
            label: words.name,
            cell: (row) => (
              <a class="row-link" href={`${BASE}/actions/${row.action_id}`}>
                {row.name}
              </a>
            ),
          },
          {
            label: words.address,
            cell: (row) => (
              <span class="address small soft">
                <code>{row.method}</code> {row.url}
              </span>
            ),
          },
          { label: words.changed, cell: (row) => <Ago at={row.updated_at} /> },
          {
            label: words.on,
            cell: (row) => (
              <Switch
                label={words.switchOf(row.name)}
                isOn={row.active}
                onTurn={(active) => void turn(row, active)}
              />
            ),
          },
          {
            label: '',
            end: true,
            cell: (row) => (
              <Menu
                label={words.menuOf(row.name)}
                items={[
                  {
                    label: words.tabs.test,
                    icon: 'play',
                    href: `${BASE}/actions/${row.action_id}/test`,
                  },
                  {
                    label: words.tabs.calls,
                    icon: 'clock',
                    href: `${BASE}/actions/${row.action_id}/calls`,
                  },
                  {
                    label: words.remove,
                    icon: 'trash',
                    danger: true,
                    onPick: () =>
                      removeLater(app, { path: pathOf(row), text: words.removed(row.name) }),
                  },
                ]}
              />
            ),
          },
        ]}
      />
      {Dialog && (
        <Dialog
          base={base}
          words={words}
          onImported={list.reload}
          onClose={() => (importDialog.value = undefined)}
        />
      )}
    </Card>
  )
}
