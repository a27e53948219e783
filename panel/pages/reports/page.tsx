import type { VNode } from 'preact'
import type { z } from 'zod'
import type { Figures, Summary } from '../../../server/analytics/schema.ts'
import type { UsagePage } from '../../../server/credits/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import { useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/reports.ts'
import { Button } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Card, Empty, Loaded, PageHead } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { figuresOf, type ShownFigure } from './figures.ts'
import { periodsOf, SPANS, type Days } from './period.ts'
import './reports.css'

interface Report {
  now: Summary
  before: Summary
  cost: number
  costBefore: number
}

const SERIES = ['sessions', 'answered', 'handoffs', 'leads', 'appointments'] as const

/** How the assistant and the team did, beside the period before. */
export function Page({ words }: PageProps<Words>): VNode {
  const { api, router, sites, workspace, words: common } = useApp()
  const query = router.query.value
  const span = SPANS.find((each) => each === Number(query.get('days'))) ?? 30
  const tenantId = query.get('site') ?? undefined
  const { now, before } = periodsOf(span, workspace.value?.time_zone)

  const report = useResource<Report>(`${before.from} ${now.to} ${tenantId}`, async (signal) => {
    const summary = (days: Days): Promise<Summary> =>
      api.get('analytics/summary', { ...days, tenant_id: tenantId }, signal)
    const cost = async (days: Days): Promise<number> => {
      const by = tenantId === undefined ? 'day' : 'bot'
      const usage = await api.get<z.infer<typeof UsagePage>>(
        'credits/usage',
        { ...days, by, limit: 100 },
        signal,
      )
      if (tenantId === undefined) return usage.total.credits_used
      return usage.data.find(({ subject }) => subject === tenantId)?.credits_used ?? 0
    }
    const [current, previous, costNow, costBefore] = await Promise.all([
      summary(now),
      summary(before),
      cost(now),
      cost(before),
    ])
    return { now: current, before: previous, cost: costNow, costBefore }
  })

  const search = new URLSearchParams({ ...now, ...(tenantId ? { tenant_id: tenantId } : {}) })
  return (
    <>
      <PageHead title={words.title} lead={words.lead(span)}>
        <select
          class="input filter"
          aria-label={common.value.site}
          value={tenantId ?? ''}
          onChange={(event) => router.setQuery({ site: event.currentTarget.value })}
        >
          <option value="">{words.allSites}</option>
          {sites.value?.map((site) => (
            <option key={site.tenant_id} value={site.tenant_id}>
              {site.name}
            </option>
          ))}
        </select>
        <span class="row" role="group" aria-label={words.period}>
          {SPANS.map((each) => (
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
        </span>
        <Button
          icon="download"
          href={`/api/v1/analytics/summary.csv?${search.toString()}`}
          download="report.csv"
        >
          {common.value.download}
        </Button>
      </PageHead>
      <Loaded of={report} lines={10}>
        {(value) => <ReportView report={value} words={words} />}
      </Loaded>
    </>
  )
}

function ReportView({ report, words }: { report: Report; words: Words }): VNode {
  const { format, router } = useApp()
  const shown = SERIES.find((each) => each === router.query.value.get('chart')) ?? 'sessions'
  return (
    <div class="stack">
      <div class="report-figures">
        {figuresOf(report, words, format.value).map((figure) => (
          <FigureCard key={figure.label} figure={figure} words={words} />
        ))}
      </div>
      <Card
        title={words.series[shown]}
        actions={SERIES.map((each) => (
          <Button
            key={each}
            small
            kind="plain"
            pressed={each === shown}
            onPress={() => router.setQuery({ chart: each })}
          >
            {words.series[each]}
          </Button>
        ))}
      >
        <Chart
          label={words.chartOf(words.series[shown])}
          points={report.now.series.map((day, at) => ({
            label: format.value.date(`${day.day}T12:00:00`),
            value: valueOf(day, shown),
            before: valueOf(report.before.series[at], shown),
          }))}
        />
        <p class="soft small">{words.dashed}</p>
      </Card>
      <Card flush title={words.pages}>
        {report.now.pages.length === 0 ? (
          <Empty icon="chart" title={words.noPages}>
            {words.noPagesText}
          </Empty>
        ) : (
          <Table
            label={words.pages}
            rows={report.now.pages}
            rowKey={(row) => row.page}
            columns={[
              { label: words.pageColumn, cell: (row) => <span class="address">{row.page}</span> },
              {
                label: words.series.sessions,
                end: true,
                cell: (row) => format.value.number(row.sessions),
              },
            ]}
          />
        )}
      </Card>
    </div>
  )
}

function valueOf(figures: Figures | undefined, name: (typeof SERIES)[number]): number {
  return figures?.[name] ?? 0
}

function FigureCard({ figure, words }: { figure: ShownFigure; words: Words }): VNode {
  const { format } = useApp()
  const { label, shown, change, isGood } = figure
  const tone = change === null || change === 0 ? 'soft' : isGood ? 'better' : 'worse'
  return (
    <div class="card figure-card">
      <p class="figure">
        <span class="soft small">{label}</span>
        <b>{shown}</b>
        {change !== null && (
          <span class={`small ${tone}`}>
            {change === 0
              ? words.asBefore
              : `${change > 0 ? '+' : ''}${format.value.percent(change)} ${words.thanBefore}`}
          </span>
        )}
      </p>
    </div>
  )
}
