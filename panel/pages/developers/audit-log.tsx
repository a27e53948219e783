import type { VNode } from 'preact'
import type { AuditAction, AuditEntry } from '../../../server/platform/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/developers.ts'
import { Card, Empty, Failure, Skeleton } from '../../ui/page.tsx'
import { More, Table } from '../../ui/table.tsx'

/** The audit log, newest entries first; the filter covers the loaded entries. */
export function AuditLog({ words }: { words: Words }): VNode {
  const { api, format, router, words: common } = useApp()
  const filter = router.query.value.get('q') ?? ''
  const list = useList<AuditEntry>('audit', (cursor, signal) =>
    api.get('audit', { cursor, limit: 100 }, signal),
  )
  const wanted = filter.toLocaleLowerCase()
  const all = list.rows.value
  const rows = all?.filter((row) => textOf(row, words).includes(wanted))
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
                  // Names of the API's fields, which are English.
                  cell: (row) => (
                    <span class="soft small address" lang="en">
                      {detailsOf(row)}
                    </span>
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

function detailsOf({ subject, details }: AuditEntry): string {
  const facts = Object.entries(details)
    .filter(([, value]) => value !== null && value !== 0)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
  return [subject?.id, ...facts].filter((fact) => fact !== undefined).join(' · ')
}

/** The words for an entry; one of an older version may have a code without words. */
function nameOf({ action }: AuditEntry, { audited }: Words): string {
  const names: Readonly<Record<AuditAction, string>> & Readonly<Record<string, string>> = audited
  return names[action] ?? action
}

function textOf(row: AuditEntry, words: Words): string {
  const { name, email } = row.actor
  return [nameOf(row, words), row.action, name, email, detailsOf(row)].join(' ').toLocaleLowerCase()
}
