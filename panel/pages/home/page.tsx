import type { ComponentChildren, VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import { useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/home.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Card, Loaded, PageHead } from '../../ui/page.tsx'
import { Checklist } from './checklist.tsx'
import type { Overview } from './overview.ts'
import './home.css'

/** A longer time says nothing: credits are renewed every month. */
const MAX_SHOWN_DAYS = 60

/** The overview: the checklist of a new workspace, waiting visitors, and credits. */
export function Page({ words }: PageProps<Words>): VNode {
  const { api, session } = useApp()
  const overview = useResource<Overview>('overview', (signal) => api.get('overview', {}, signal))
  const name = session.me.value?.user.name ?? ''
  return (
    <>
      <PageHead title={words.title} lead={words.greeting(name)} />
      <Loaded of={overview} lines={8}>
        {(value) => (
          <div class="stack">
            <Checklist done={value.checklist} words={words} />
            <Figures overview={value} words={words} />
            <div class="columns even">
              <Unanswered overview={value} words={words} />
              <CreditsLeft overview={value} words={words} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  )
}

function Figure({
  href,
  icon,
  label,
  value,
  isUrgent,
}: {
  href: string
  icon: IconName
  label: string
  value: ComponentChildren
  isUrgent?: boolean
}): VNode {
  return (
    <a class={isUrgent ? 'card figure-link urgent' : 'card figure-link'} href={BASE + href}>
      <span class="figure">
        <span class="soft small figure-label">
          <Icon name={icon} />
          {label}
        </span>
        <b>{value}</b>
      </span>
    </a>
  )
}

function Figures({ overview, words }: { overview: Overview; words: Words }): VNode {
  const { format } = useApp()
  const { number, percent } = format.value
  return (
    <div class="figures">
      <Figure
        href="/inbox?view=waiting"
        icon="inbox"
        label={words.waiting}
        value={number(overview.waiting)}
        isUrgent={overview.waiting > 0}
      />
      <Figure
        href="/leads"
        icon="lead"
        label={words.leadsToday}
        value={number(overview.leads_today)}
      />
      <Figure
        href="/appointments"
        icon="calendar"
        label={words.appointmentsToday}
        value={number(overview.appointments_today)}
      />
      <Figure
        href="/reports"
        icon="chart"
        label={words.answered}
        value={overview.answered_rate === null ? '–' : percent(overview.answered_rate)}
      />
    </div>
  )
}

function Unanswered({ overview, words }: { overview: Overview; words: Words }): VNode {
  const { format, hasSeveralSites, sites } = useApp()
  const nameOf = (id: string): string | undefined =>
    hasSeveralSites.value
      ? sites.value?.find(({ tenant_id: each }) => each === id)?.name
      : undefined
  return (
    <Card
      title={words.unanswered}
      actions={
        <Button small kind="plain" href={`${BASE}/knowledge/unanswered`}>
          {words.seeAll}
        </Button>
      }
    >
      {overview.unanswered.length === 0 ? (
        <p class="soft">{words.nothingUnanswered}</p>
      ) : (
        <ul class="stack tight questions">
          {overview.unanswered.map(({ tenant_id: site, question, count }) => (
            <li key={`${site} ${question}`} class="row between">
              <a class="grow ellipsis" href={`${BASE}/knowledge/unanswered?site=${site}`}>
                {question}
              </a>
              <span class="soft small ellipsis of-site">{nameOf(site)}</span>
              <span class="soft number">{words.times(count, format.value.number(count))}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function CreditsLeft({ overview, words }: { overview: Overview; words: Words }): VNode {
  const { format, session } = useApp()
  const {
    remaining,
    monthly_limit: limit,
    addons,
    reset_at: resetAt,
    days_left: days,
  } = overview.credits
  const all = Math.max(1, limit + addons)
  const isManager = session.me.value?.user.role !== 'operator'
  return (
    <Card
      title={words.credits}
      actions={
        isManager && (
          <Button small kind="plain" href={`${BASE}/credits`}>
            {words.seeAll}
          </Button>
        )
      }
    >
      <div class="stack tight">
        <p class="figure">
          <b>{format.value.number(remaining)}</b>
        </p>
        <div class={remaining <= 100 ? 'progress warn' : 'progress'}>
          <i style={{ width: `${Math.min(100, (remaining / all) * 100)}%` }} />
        </div>
        <p class="soft small">
          {words.creditsOf(format.value.number(all), format.value.date(resetAt))}{' '}
          {days !== null &&
            days <= MAX_SHOWN_DAYS &&
            words.daysLeft(days, format.value.number(days))}
        </p>
      </div>
    </Card>
  )
}
