import type { VNode } from 'preact'
import type { LedgerRow, LedgerType } from '../../../server/credits/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/credits.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'

const TYPES: readonly LedgerType[] = [
  'grant',
  'hold',
  'settle',
  'release',
  'addon',
  'expire',
  'adjust',
]

/** Every change of the credits, with a filter, and as CSV. */
export function Ledger({ words }: { words: Words }): VNode {
  const { api, router, format, words: common } = useApp()
  const { number, dateTime } = format.value
  const query = router.query.value
  const filter = {
    type: query.get('type') ?? undefined,
    from: query.get('from') ?? undefined,
    to: query.get('to') ?? undefined,
  }
  const list = useList<LedgerRow>(JSON.stringify(filter), (cursor, signal) =>
    api.get('credits/ledger', { ...filter, cursor, limit: 50 }, signal),
  )
  const search = new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  return (
    <Card
      flush
      title={words.tabs.ledger}
      actions={
        <>
          <select
            class="input filter"
            aria-label={words.columns.type}
            value={filter.type ?? ''}
            onChange={(event) => router.setQuery({ type: event.currentTarget.value })}
          >
            <option value="">{common.value.all}</option>
            {TYPES.map((type) => (
              <option key={type} value={type}>
                {words.types[type]}
              </option>
            ))}
          </select>
          {(['from', 'to'] as const).map((side) => (
            <label key={side} class="row tight soft small">
              {words[side]}
              <input
                type="date"
                class="input filter"
                value={filter[side] ?? ''}
                onChange={(event) => router.setQuery({ [side]: event.currentTarget.value })}
              />
            </label>
          ))}
          <Button
            icon="download"
            href={`/api/v1/credits/ledger.csv?${search.toString()}`}
            download="ledger.csv"
          >
            {common.value.download}
          </Button>
        </>
      }
    >
      <ListTable
        list={list}
        label={words.tabs.ledger}
        rowKey={(row) => row.ledger_id}
        empty={<Empty icon="coin" title={common.value.nothingFound} />}
        columns={[
          { label: words.columns.when, cell: (row) => dateTime(row.created_at) },
          { label: words.columns.type, cell: (row) => words.types[row.type] },
          { label: words.columns.source, cell: (row) => words.sources[row.source] },
          {
            label: words.columns.amount,
            end: true,
            cell: (row) => `${row.amount > 0 ? '+' : ''}${number(row.amount)}`,
          },
          {
            label: words.columns.after,
            end: true,
            cell: (row) => number(row.monthly_after + row.addons_after - row.held_after),
          },
          {
            label: words.columns.for,
            cell: (row) =>
              row.session_id === undefined ? (
                <span class="address soft small">{row.reference ?? row.run_id ?? '–'}</span>
              ) : (
                <a href={`${BASE}/inbox/${row.session_id}`}>{words.conversation}</a>
              ),
          },
        ]}
      />
    </Card>
  )
}
