import { useSignal } from '@preact/signals'
import { Fragment, type VNode } from 'preact'
import type { ActionCall } from '../../../server/actions/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import { AttemptList } from '../../attempts/attempt-list.tsx'
import type { Words } from '../../locales/en/actions.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Ago, Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'
import { callError, CallState } from './call-state.tsx'

/** The calls of the last 30 days, each with its inputs and attempts. */
export function CallLog({ path, words }: { path: string; words: Words }): VNode {
  const { api } = useApp()
  const list = useList<ActionCall>(`${path}/calls`, (cursor, signal) =>
    api.get(`${path}/calls`, { cursor, limit: 50 }, signal),
  )
  const shown = useSignal<ActionCall | undefined>(undefined)
  return (
    <Card
      flush
      title={words.tabs.calls}
      actions={<Button icon="refresh" kind="plain" label={words.refresh} onPress={list.reload} />}
    >
      <ListTable
        list={list}
        label={words.tabs.calls}
        rowKey={(row) => row.call_id}
        empty={
          <Empty icon="clock" title={words.noCalls}>
            {words.noCallsText}
          </Empty>
        }
        columns={[
          {
            label: words.asked,
            cell: (row) => (
              <button type="button" class="link" onClick={() => (shown.value = row)}>
                {inputsText(row) || words.noInputs}
              </button>
            ),
          },
          {
            label: words.state,
            cell: (row) => <CallState state={row.state} words={words} />,
          },
          { label: words.by, cell: (row) => <Cause call={row} words={words} /> },
          { label: words.at, cell: (row) => <Ago at={row.created_at} /> },
        ]}
      />
      {shown.value && (
        <CallDialog call={shown.value} words={words} onClose={() => (shown.value = undefined)} />
      )}
    </Card>
  )
}

function Cause({ call, words }: { call: ActionCall; words: Words }): VNode {
  if (call.session_id === null) return <>{words.byTest}</>
  return <a href={`${BASE}/inbox/${call.session_id}`}>{words.byVisitor}</a>
}

function CallDialog({
  call,
  words,
  onClose,
}: {
  call: ActionCall
  words: Words
  onClose: () => void
}): VNode {
  const { format } = useApp()
  const { inputs, shown, error, attempts } = call
  return (
    <Dialog title={format.value.dateTime(call.created_at)} wide onClose={onClose}>
      <div class="stack">
        <div class="row">
          <CallState state={call.state} words={words} />
          <Cause call={call} words={words} />
        </div>
        {error !== null && <p>{callError(error, words)}</p>}
        <Values title={words.asked} values={inputs} />
        <Values title={words.shown} values={shown ?? {}} />
        <h3>{words.attempts.title}</h3>
        <AttemptList attempts={attempts} words={words.attempts} />
      </div>
    </Dialog>
  )
}

function Values({ title, values }: { title: string; values: ActionCall['inputs'] }): VNode | null {
  const all = Object.entries(values)
  if (all.length === 0) return null
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      <dl class="definitions">
        {all.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{String(value)}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

function inputsText({ inputs }: ActionCall): string {
  return Object.entries(inputs)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
}
