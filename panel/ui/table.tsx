import type { ComponentChildren, VNode } from 'preact'
import type { List } from '../app/api/resource.ts'
import { useApp } from '../app/app-context.ts'
import { Button } from './button.tsx'
import { Failure, Skeleton } from './page.tsx'

export interface Column<Row> {
  label: string
  /** Numbers and actions stand at the end. */
  end?: boolean
  cell: (row: Row) => ComponentChildren
}

/** A table of a paged list; on a phone each row becomes a card. `empty` is shown without rows. */
export function ListTable<Row>({
  list,
  columns,
  rowKey,
  empty,
  label,
}: {
  list: List<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  empty: ComponentChildren
  label: string
}): VNode {
  const rows = list.rows.value
  if (rows === undefined) {
    return list.error.value === undefined ? (
      <Skeleton />
    ) : (
      <Failure error={list.error.value} retry={list.reload} />
    )
  }
  if (rows.length === 0) return <>{empty}</>
  return (
    <>
      <Table rows={rows} columns={columns} rowKey={rowKey} label={label} />
      <More list={list} />
    </>
  )
}

export function Table<Row>({
  rows,
  columns,
  rowKey,
  label,
}: {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  label: string
}): VNode {
  return (
    <div class="table-wrap">
      <table class="table cards" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) =>
              column.label === '' ? (
                <td key="" />
              ) : (
                <th key={column.label} scope="col" class={column.end ? 'end' : undefined}>
                  {column.label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td
                  key={column.label}
                  class={column.end ? 'end number' : undefined}
                  data-label={column.label}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The button for the next page of a list. */
export function More<Row>({ list }: { list: List<Row> }): VNode | null {
  const { words, toasts, explain } = useApp()
  if (!list.hasMore.value) return null
  return (
    <div class="row" style={{ justifyContent: 'center', padding: '12px' }}>
      <Button onPress={() => list.more().catch((error) => toasts.failed(explain(error)))}>
        {words.value.more}
      </Button>
    </div>
  )
}
