import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { z } from 'zod'
import type { DeadLetter, RetriedLetters, Rule } from '../../../../server/rules/schema.ts'
import { ApiError, type Page } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import { useList, useResource } from '../../../app/api/resource.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Ago, Card, Empty } from '../../../ui/page.tsx'
import { ListTable } from '../../../ui/table.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { OutcomeBadge } from '../../../attempts/outcome.tsx'
import { SelectBox, SendSelected, useSelection } from '../selection.tsx'

const BASE_PATH = 'webhooks/rules-engine'

/** Dead letters of rules: kept for 7 days, and sent again one, many or all. */
export function DeadLetters({ words, isManager }: { words: Words; isManager: boolean }): VNode {
  const { api, router, format, toasts, explain } = useApp()
  const query = router.query.value
  const filter = {
    event: query.get('event') ?? undefined,
    rule_id: query.get('rule') ?? undefined,
    since: query.get('since') ?? undefined,
  }
  const list = useList<DeadLetter>(JSON.stringify(filter), (cursor, signal) =>
    api.get(`${BASE_PATH}/dead-letters`, { ...filter, cursor, limit: 50 }, signal),
  )
  // Operators do not read rules: their list has no names to show.
  const rules = useResource<Page<Rule>>(isManager ? 'rules' : '', (signal) =>
    api.get(`${BASE_PATH}/rules`, { limit: 100 }, signal),
  )
  const shown = useSignal<DeadLetter | undefined>(undefined)
  const selection = useSelection()
  const nameOf = (id: string): string =>
    rules.value.value?.data.find((rule) => rule.rule_id === id)?.name ?? id

  const sendOne = (id: string): Promise<void> =>
    api.post(`${BASE_PATH}/dead-letters/${id}/retry`).then(() => undefined)

  async function resend(letter: DeadLetter): Promise<void> {
    try {
      await sendOne(letter.webhook_id)
      list.change((rows) => rows.filter((row) => row.webhook_id !== letter.webhook_id))
      toasts.done(words.sentAgain(1, format.value.number(1)))
    } catch (error) {
      const isOver = error instanceof ApiError && error.code === 'conflict'
      toasts.failed(isOver ? words.letterIsOver : explain(error))
      await list.reload()
    }
  }

  async function resendAll(): Promise<void> {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined)
    try {
      const { retried } = await api.post<z.infer<typeof RetriedLetters>>(
        `${BASE_PATH}/dead-letters/retry`,
        Object.fromEntries(given),
      )
      toasts.done(words.sentAgain(retried, format.value.number(retried)))
    } catch (error) {
      toasts.failed(explain(error))
    }
    await list.reload()
  }

  return (
    <Card
      flush
      title={words.tabs['dead-letters']}
      actions={
        <>
          <SendSelected selection={selection} words={words} send={sendOne} onSent={list.reload} />
          <Button disabled={(list.rows.value?.length ?? 0) === 0} onPress={resendAll}>
            {words.sendAllAgain}
          </Button>
          <select
            class="input filter"
            aria-label={words.columns.event}
            value={filter.event ?? ''}
            onChange={(event) => router.setQuery({ event: event.currentTarget.value })}
          >
            <option value="">{words.allEvents}</option>
            {Object.entries(words.ruleEvents).map(([event, meaning]) => (
              <option key={event} value={event}>
                {meaning}
              </option>
            ))}
          </select>
          {isManager && (
            <select
              class="input filter"
              aria-label={words.columns.rule}
              value={filter.rule_id ?? ''}
              onChange={(event) => router.setQuery({ rule: event.currentTarget.value })}
            >
              <option value="">{words.allRules}</option>
              {rules.value.value?.data.map((rule) => (
                <option key={rule.rule_id} value={rule.rule_id}>
                  {rule.name}
                </option>
              ))}
            </select>
          )}
        </>
      }
    >
      <ListTable
        list={list}
        label={words.tabs['dead-letters']}
        rowKey={(row) => row.webhook_id}
        empty={
          <Empty icon="check" title={words.noLetters}>
            {words.noLettersText}
          </Empty>
        }
        columns={[
          {
            label: words.columns.event,
            cell: (row) => (
              <span class="row nowrap">
                <SelectBox
                  selection={selection}
                  id={row.webhook_id}
                  label={words.select(row.webhook_id)}
                />
                <button type="button" class="link" onClick={() => (shown.value = row)}>
                  {row.event}
                </button>
              </span>
            ),
          },
          ...(isManager
            ? [
                {
                  label: words.columns.rule,
                  cell: (row: DeadLetter) => (
                    <a class="address" href={`${BASE}/webhooks/rules/${row.rule_id}`}>
                      {nameOf(row.rule_id)}
                    </a>
                  ),
                },
              ]
            : []),
          {
            label: words.columns.lastAttempt,
            cell: (row) => {
              const last = row.attempts.at(-1)
              return last ? <OutcomeBadge outcome={last} words={words.attempts} /> : '–'
            },
          },
          { label: words.columns.died, cell: (row) => <Ago at={row.died_at} /> },
          { label: words.columns.lastDay, cell: (row) => format.value.date(row.expires_at) },
          {
            label: words.columns.action,
            end: true,
            cell: (row) => (
              <Button small onPress={() => resend(row)}>
                {words.sendAgain}
              </Button>
            ),
          },
        ]}
      />
      {shown.value && (
        <DeliveryDialog
          delivery={{
            ...shown.value,
            id: shown.value.webhook_id,
            state: 'dead_letter',
            next_attempt_at: null,
          }}
          words={words}
          onClose={() => (shown.value = undefined)}
        />
      )}
    </Card>
  )
}
