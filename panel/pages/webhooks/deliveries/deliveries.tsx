import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { ApiError, type Page } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import { useList, type List } from '../../../app/api/resource.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Ago, Badge, Card, Empty, type Tone } from '../../../ui/page.tsx'
import { ListTable } from '../../../ui/table.tsx'
import { DeliveryDialog, type ShownDelivery } from './delivery-dialog.tsx'
import { OutcomeBadge } from '../../../attempts/outcome.tsx'
import { SelectBox, SendSelected, useSelection } from '../selection.tsx'

const TONES: Record<string, Tone> = {
  delivered: 'good',
  waiting: 'accent',
  sending: 'accent',
  held: 'warn',
  failed: 'wrong',
  dead_letter: 'wrong',
}

interface Props {
  /** Of the endpoint; the list loads again when it changes. */
  path: string
  states: readonly string[]
  words: Words
  read: (
    cursor: string | undefined,
    signal: AbortSignal,
    state: string,
  ) => Promise<Page<ShownDelivery>>
  canResend: (delivery: ShownDelivery) => boolean
  resend: (delivery: ShownDelivery) => Promise<unknown>
  /** Counts up when something was sent. */
  revision: number
  extra?: ComponentChildren
}

/** Deliveries of an endpoint, with each attempt; failed ones can be sent again, one or many. */
export function Deliveries(props: Props): VNode {
  const { path, states, words, read, canResend, resend, revision, extra } = props
  const { router, words: common, toasts, explain } = useApp()
  const state = router.query.value.get('state') ?? ''
  const list: List<ShownDelivery> = useList(`${path} ${state} ${revision}`, (cursor, signal) =>
    read(cursor, signal, state),
  )
  const shown = useSignal<ShownDelivery | undefined>(undefined)
  const selection = useSelection()

  async function sendOne(delivery: ShownDelivery): Promise<void> {
    try {
      await resend(delivery)
      toasts.done(words.sentAgain(1, '1'))
    } catch (error) {
      const isOver = error instanceof ApiError && error.code === 'conflict'
      toasts.failed(isOver ? words.cannotSendAgain : explain(error))
    }
    await list.reload()
  }

  return (
    <Card
      title={words.deliveries}
      flush
      actions={
        <>
          <SendSelected
            selection={selection}
            words={words}
            send={async (id) => {
              const delivery = list.rows.value?.find((row) => row.id === id)
              if (delivery) await resend(delivery)
            }}
            onSent={list.reload}
          />
          {extra}
          <select
            class="input filter"
            aria-label={words.columns.state}
            value={state}
            onChange={(event) => router.setQuery({ state: event.currentTarget.value })}
          >
            <option value="">{common.value.all}</option>
            {states.map((each) => (
              <option key={each} value={each}>
                {words.deliveryStates[each]}
              </option>
            ))}
          </select>
          <Button icon="refresh" kind="plain" label={words.refresh} onPress={list.reload} />
        </>
      }
    >
      <ListTable
        list={list}
        label={words.deliveries}
        rowKey={(row) => row.id}
        empty={
          <Empty icon="send" title={words.noDeliveries}>
            {words.noDeliveriesText}
          </Empty>
        }
        columns={[
          {
            label: words.columns.event,
            cell: (row) => (
              <span class="row nowrap">
                {canResend(row) && (
                  <SelectBox selection={selection} id={row.id} label={words.select(row.id)} />
                )}
                <button type="button" class="link" onClick={() => (shown.value = row)}>
                  {row.event}
                </button>
              </span>
            ),
          },
          {
            label: words.columns.state,
            cell: (row) => (
              <Badge tone={TONES[row.state] ?? 'plain'}>
                {words.deliveryStates[row.state] ?? row.state}
              </Badge>
            ),
          },
          {
            label: words.columns.lastAttempt,
            cell: (row) => {
              const last = row.attempts.at(-1)
              return last ? <OutcomeBadge outcome={last} words={words.attempts} /> : '–'
            },
          },
          { label: words.columns.created, cell: (row) => <Ago at={row.created_at} /> },
          {
            label: words.columns.action,
            end: true,
            cell: (row) =>
              canResend(row) ? (
                <Button small onPress={() => sendOne(row)}>
                  {words.sendAgain}
                </Button>
              ) : null,
          },
        ]}
      />
      {shown.value && (
        <DeliveryDialog
          delivery={shown.value}
          words={words}
          onClose={() => (shown.value = undefined)}
        />
      )}
    </Card>
  )
}
