import type { VNode } from 'preact'
import type { z } from 'zod'
import type { Prompt, Run as RunSchema } from '../../../server/prompts/schema.ts'
import { allPrompts } from '../../app/api/all-prompts.ts'
import { useApp } from '../../app/app-context.ts'
import { useList, useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/prompts.ts'
import { Button } from '../../ui/button.tsx'
import { Ago, Badge, Card, Empty, type Tone } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'

type Run = z.infer<typeof RunSchema>

const STATES = ['done', 'failed', 'running'] as const
const TONES: Record<Run['state'], Tone> = { running: 'accent', done: 'good', failed: 'wrong' }

/** The history of runs, of one prompt or of all; a run whose inputs are kept can be run again. */
export function RunList({ prompt, words }: { prompt?: Prompt; words: Words }): VNode {
  const { api, format, language, router, words: common } = useApp()
  const promptId = prompt?.prompt_id
  // A run names its prompt by id only.
  const prompts = useResource<Prompt[]>(prompt ? '' : language.value, (signal) =>
    allPrompts(api, language.value, signal),
  )
  const titles = new Map(
    (prompt ? [prompt] : (prompts.value.value ?? [])).map((each) => [each.prompt_id, each.title]),
  )
  /** A prompt that was deleted has only its id; while titles load, neither is shown. */
  const titleOf = (id: string): string => titles.get(id) ?? (prompts.isLoading.value ? '…' : id)
  const state = router.query.value.get('state') ?? ''
  const list = useList<Run>(`runs ${promptId} ${state}`, (cursor, signal) =>
    api.get(
      'runs',
      { cursor, limit: 50, prompt_id: promptId, state: state === '' ? null : state },
      signal,
    ),
  )
  return (
    <>
      <div class="filters">
        <select
          class="input"
          aria-label={words.columns.state}
          value={state}
          onChange={(event) => router.setQuery({ state: event.currentTarget.value })}
        >
          <option value="">{`${words.columns.state}: ${common.value.all}`}</option>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {words.states[each]}
            </option>
          ))}
        </select>
      </div>
      <Card flush>
        <ListTable
          list={list}
          label={words.tabs.runs}
          rowKey={(row) => row.run_id}
          empty={
            <Empty icon="prompt" title={words.noRuns}>
              {words.noRunsText}
            </Empty>
          }
          columns={[
            {
              label: words.columns.prompt,
              cell: (row) => (
                <a class="row-link" href={`${BASE}/prompts/${row.prompt_id}`}>
                  {titleOf(row.prompt_id)}
                </a>
              ),
            },
            {
              label: words.columns.state,
              cell: (row) => (
                <span class="row">
                  <Badge tone={TONES[row.state]}>{words.states[row.state]}</Badge>
                  {row.error && (
                    <span class="soft small">
                      {common.value.errors[row.error.code] ?? row.error.detail}
                    </span>
                  )}
                </span>
              ),
            },
            {
              label: words.columns.credits,
              end: true,
              cell: (row) => format.value.number(row.credits_used),
            },
            {
              label: words.columns.time,
              end: true,
              cell: (row) =>
                row.duration_ms === null ? '–' : format.value.duration(row.duration_ms),
            },
            { label: words.columns.at, cell: (row) => <Ago at={row.created_at} /> },
            {
              label: '',
              end: true,
              cell: (row) =>
                row.has_inputs && (
                  <Button
                    small
                    icon="refresh"
                    label={`${words.again}: ${titleOf(row.prompt_id)}`}
                    href={`${BASE}/prompts/${row.prompt_id}?run=${row.run_id}`}
                  >
                    {words.again}
                  </Button>
                ),
            },
          ]}
        />
      </Card>
    </>
  )
}
