import type { VNode } from 'preact'
import type { z } from 'zod'
import type { UsageKind, UsagePage, UsageRow } from '../../../server/credits/schema.ts'
import type { ApiKey, Member } from '../../../server/platform/schema.ts'
import type { Page } from '../../app/api/api.ts'
import { allPrompts } from '../../app/api/all-prompts.ts'
import { useApp } from '../../app/app-context.ts'
import { dayBefore } from '../../app/language/days.ts'
import { useList, useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/credits.ts'
import { Button } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Card, Empty, Loaded } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'

type Usage = z.infer<typeof UsagePage>
const SPANS = [7, 30, 90] as const
const KINDS = ['bot', 'prompt', 'user', 'key'] as const satisfies readonly UsageKind[]
const DAY_MS = 86_400_000

/** Where credits went: by day, and by what they were spent on. */
export function Usage({ words }: { words: Words }): VNode {
  const { api, router, workspace } = useApp()
  const asked = Number(router.query.value.get('days'))
  const span = SPANS.find((each) => each === asked) ?? 30
  const by = KINDS.find((each) => each === router.query.value.get('by')) ?? 'bot'
  const from = dayBefore(span - 1, workspace.value?.time_zone)
  const days = useResource<Usage>(`days ${from}`, (signal) =>
    api.get('credits/usage', { by: 'day', from, limit: 100 }, signal),
  )
  return (
    <>
      <Card
        title={words.perDay}
        actions={SPANS.map((each) => (
          <Button
            key={each}
            small
            kind="plain"
            pressed={each === span}
            onPress={() => router.setQuery({ days: String(each) })}
          >
            {words.days(each)}
          </Button>
        ))}
      >
        <Loaded of={days}>{(value) => <PerDay usage={value} words={words} />}</Loaded>
      </Card>
      {(days.value.value !== undefined || days.error.value !== undefined) && (
        <Card
          flush
          title={words.bySubject}
          actions={KINDS.map((each) => (
            <Button
              key={each}
              small
              kind="plain"
              pressed={each === by}
              onPress={() => router.setQuery({ by: each })}
            >
              {words.kinds[each]}
            </Button>
          ))}
        >
          <BySubject
            by={by}
            from={from}
            total={days.value.value?.total.credits_used}
            words={words}
          />
        </Card>
      )}
    </>
  )
}

function PerDay({ usage, words }: { usage: Usage; words: Words }): VNode {
  const { format } = useApp()
  const { number, date } = format.value
  const used = new Map(usage.data.map((row) => [row.subject, row.credits_used]))
  const points = listDays(usage.from, usage.to).map((day) => ({
    label: date(`${day}T12:00:00`),
    value: used.get(day) ?? 0,
  }))
  return (
    <div class="stack">
      <p>
        {words.total(number(usage.total.credits_used), usage.total.runs, number(usage.total.runs))}
      </p>
      <Chart kind="bar" points={points} label={words.perDay} />
    </div>
  )
}

function BySubject({
  by,
  from,
  total,
  words,
}: {
  by: (typeof KINDS)[number]
  from: string
  total: number | undefined
  words: Words
}): VNode {
  const { api, format, language, sites } = useApp()
  const { number, percent } = format.value
  const list = useList<UsageRow>(`${by} ${from}`, (cursor, signal) =>
    api.get('credits/usage', { by, from, cursor, limit: 50 }, signal),
  )
  const names = useResource<Map<string, string>>(`${by} ${language.value}`, async (signal) => {
    if (by === 'prompt') {
      const prompts = await allPrompts(api, language.value, signal)
      return new Map(prompts.map(({ prompt_id: id, title }) => [id, title]))
    }
    if (by === 'bot') return new Map()
    const path = by === 'user' ? 'members' : 'api-keys'
    const { data } = await api.get<Page<Member | ApiKey>>(path, { limit: 100 }, signal)
    return new Map(data.map(({ id, name }) => [id, name]))
  })
  const nameOf = (id: string): string =>
    sites.value?.find((site) => site.tenant_id === id || site.chatbot_id === id)?.name ??
    names.value.value?.get(id) ??
    (names.isLoading.value ? '…' : id)
  return (
    <ListTable
      list={list}
      label={words.bySubject}
      rowKey={(row) => row.subject}
      empty={
        <Empty icon="coin" title={total ? words.noUsageBy[by] : words.noUsage}>
          {total ? words.usedElsewhere[by](number(total)) : words.noUsageText}
        </Empty>
      }
      columns={[
        { label: words.kinds[by], cell: (row) => nameOf(row.subject) },
        { label: words.runs, end: true, cell: (row) => number(row.runs) },
        { label: words.used, end: true, cell: (row) => number(row.credits_used) },
        {
          label: words.share,
          end: true,
          cell: (row) => (total ? percent(row.credits_used / total) : '–'),
        },
      ]}
    />
  )
}

function listDays(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10))
  }
  return days
}
