import type { VNode } from 'preact'
import type { AuditAction, AuditEntry } from '../../../server/platform/schema.ts'
import { useApp, type PanelApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/developers.ts'
import { Card, Empty, Failure, Skeleton } from '../../ui/page.tsx'
import { More, Table } from '../../ui/table.tsx'

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T/

/** The audit log, newest entries first; the filter covers the loaded entries. */
export function AuditLog({ words }: { words: Words }): VNode {
  const app = useApp()
  const { api, format, router, words: common } = app
  const filter = router.query.value.get('q') ?? ''
  const list = useList<AuditEntry>('audit', (cursor, signal) =>
    api.get('audit', { cursor, limit: 100 }, signal),
  )
  const wanted = filter.toLocaleLowerCase()
  const all = list.rows.value
  const rows = all?.filter((row) => textOf(row, app, words).includes(wanted))
  return (
    <Card
      flush
      title={words.tabs.audit}
      actions={
        <input
          type="search"
          class="input filter"
          aria-label={words.filterHint}
          placeholder={words.filterHint}
          value={filter}
          onInput={(event) => router.setQuery({ q: event.currentTarget.value })}
        />
      }
    >
      {rows === undefined ? (
        list.error.value === undefined ? (
          <Skeleton />
        ) : (
          <Failure error={list.error.value} retry={list.reload} />
        )
      ) : (
        <>
          {rows.length === 0 ? (
            <Empty icon="shield" title={common.value.nothingFound} />
          ) : (
            <Table
              label={words.tabs.audit}
              rows={rows}
              rowKey={(row) => row.audit_id}
              columns={[
                {
                  label: words.when,
                  // Who asks a log wants to know the minute.
                  cell: (row) => (
                    <time dateTime={row.created_at}>{format.value.dateTime(row.created_at)}</time>
                  ),
                },
                {
                  label: words.who,
                  cell: ({ actor }) => (
                    <span class="one-line">
                      {actor.name || (actor.email ?? actor.id ?? words.actors[actor.kind])}
                    </span>
                  ),
                },
                {
                  label: words.what,
                  cell: (row) => <span title={row.action}>{nameOf(row, words)}</span>,
                },
                {
                  label: words.details,
                  cell: (row) => (
                    <span class="soft small address">{detailsOf(row, app, words)}</span>
                  ),
                },
                { label: words.network, cell: (row) => row.address ?? '–' },
              ]}
            />
          )}
          <More list={list} />
        </>
      )}
    </Card>
  )
}

/** The details of an entry in the reader's language. Names of the API's fields and scopes stay as they are. */
function detailsOf(
  { subject, details }: AuditEntry,
  { format, words }: PanelApp,
  own: Words,
): string {
  const names: Readonly<Record<string, string>> = own.facts
  const codes: Readonly<Record<string, string>> = { ...words.value.roles, ...own.codes }
  const write = (value: unknown): string => {
    const text = String(value)
    if (typeof value === 'number') return format.value.number(value)
    const isTime = ISO_TIME.test(text) && !Number.isNaN(Date.parse(text))
    if (isTime) return format.value.dateTime(text)
    return Object.hasOwn(codes, text) ? (codes[text] ?? text) : text
  }
  const facts = Object.entries(details)
    .filter(([, value]) => value !== null && value !== 0)
    .map(([name, value]) => {
      const said = Array.isArray(value) ? value.map(write) : [write(value)]
      return `${names[name] ?? name}: ${said.join(', ')}`
    })
  return [subject?.id, ...facts].filter((fact) => fact !== undefined).join(' · ')
}

/** The words for an entry; one of an older version may have a code without words. */
function nameOf({ action }: AuditEntry, { audited }: Words): string {
  const names: Readonly<Record<AuditAction, string>> & Readonly<Record<string, string>> = audited
  return names[action] ?? action
}

function textOf(row: AuditEntry, app: PanelApp, words: Words): string {
  const { name, email } = row.actor
  return [nameOf(row, words), row.action, name, email, detailsOf(row, app, words)]
    .join(' ')
    .toLocaleLowerCase()
}
