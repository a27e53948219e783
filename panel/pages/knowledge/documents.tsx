import { useComputed, useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Document } from '../../../server/knowledge/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { isLeaving, removeLater } from '../../app/alerts/late-removal.ts'
import { useList } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import { DocumentState } from '../../knowledge/document-state.tsx'
import type { Words } from '../../locales/en/knowledge.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Ago, Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'
import { AddDocument } from './add-document.tsx'

const ASK_INTERVAL_MS = 1_500

/** The documents of a site: progress while they are read, state, error, and what they came from. */
export function Documents({ tenantId, words }: { tenantId: string; words: Words }): VNode {
  const app = useApp()
  const { api, router, toasts, explain } = app
  const base = `tenants/${tenantId}/knowledge`
  const isAdding = useSignal(router.query.value.has('add'))
  const list = useList<Document>(tenantId, (cursor, signal) =>
    api.get(base, { cursor, limit: 50 }, signal),
  )
  const pathOf = (row: Document): string => `${base}/${row.doc_id}`
  const shown = useComputed(() => list.rows.value?.filter((row) => !isLeaving(pathOf(row))))
  const isReading = list.rows.value?.some(isUnderWay) ?? false

  useEffect(() => {
    if (!isReading) return undefined
    const timer = setInterval(() => void list.reload(), ASK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isReading])

  async function readAgain(row: Document): Promise<void> {
    try {
      const changed = await api.post<Document>(`${pathOf(row)}/sync`)
      list.change((rows) => rows.map((each) => (each.doc_id === row.doc_id ? changed : each)))
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <>
      <Card
        flush
        title={words.tabs.documents}
        actions={
          <Button kind="primary" small icon="plus" onPress={() => (isAdding.value = true)}>
            {words.add}
          </Button>
        }
      >
        <ListTable
          list={{ ...list, rows: shown }}
          label={words.tabs.documents}
          rowKey={(row) => row.doc_id}
          empty={
            <Empty
              icon="book"
              title={words.emptyTitle}
              action={
                <Button kind="primary" onPress={() => (isAdding.value = true)}>
                  {words.add}
                </Button>
              }
            >
              {words.emptyText}
            </Empty>
          }
          columns={[
            {
              label: words.columns.title,
              cell: (row) => (
                <a class="row-link" href={`${BASE}/knowledge/documents/${row.doc_id}`}>
                  {row.title}
                </a>
              ),
            },
            { label: words.columns.kind, cell: (row) => words.kinds[row.kind] },
            {
              label: words.columns.state,
              cell: (row) => <DocumentState document={row} words={words.states} />,
            },
            {
              label: words.columns.read,
              cell: (row) => <Ago at={row.synced_at ?? row.updated_at} />,
            },
            {
              label: '',
              end: true,
              cell: (row) => (
                <Menu
                  label={words.actionsOf(row.title)}
                  items={[
                    ...(row.kind === 'url' || row.kind === 'sitemap'
                      ? [
                          {
                            label: words.readAgain,
                            icon: 'refresh' as const,
                            onPick: () => readAgain(row),
                          },
                        ]
                      : []),
                    {
                      label: words.remove,
                      icon: 'trash',
                      danger: true,
                      onPick: () =>
                        removeLater(app, { path: pathOf(row), text: words.removed(row.title) }),
                    },
                  ]}
                />
              ),
            },
          ]}
        />
      </Card>
      {isAdding.value && (
        <AddDocument
          tenantId={tenantId}
          words={words}
          onAdded={list.reload}
          onClose={() => {
            isAdding.value = false
            router.setQuery({ add: undefined, title: undefined })
          }}
        />
      )}
    </>
  )
}

function isUnderWay({ state, pages }: Document): boolean {
  return (
    state === 'queued' ||
    state === 'indexing' ||
    (pages !== null && pages.ready + pages.failed < pages.total)
  )
}
