import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ManagedLead as Lead } from '../../../server/leads/schema.ts'
import type { Page, Query } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useList, type List } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/leads.ts'
import { Button } from '../../ui/button.tsx'
import { Ago, Card, Empty, PageHead } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'
import { STATUSES, StatusSelect, type LeadStatus } from './status-select.tsx'

const SEARCH_DELAY_MS = 250

export function LeadTable({ words }: { words: Words }): VNode {
  const { api, router, toasts, explain, words: common } = useApp()
  const { query } = router
  const filter: Query = {
    q: query.value.get('q'),
    status: query.value.get('status'),
    tenant_id: query.value.get('site'),
  }
  const isFiltered = Object.values(filter).some((value) => value !== null)
  const list = useList<Lead>(JSON.stringify(filter), (cursor, signal) =>
    api.get<Page<Lead>>('leads', { ...filter, limit: 50, cursor }, signal),
  )
  const given = Object.entries(filter).filter(([, value]) => value !== null)
  const csv = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()

  async function setStatus(lead: Lead, status: LeadStatus, canUndo = true): Promise<void> {
    show(list, { ...lead, status })
    try {
      await api.patch(`leads/${lead.lead_id}`, { status })
      if (!canUndo) return
      toasts.done(
        words.statusChanged(words.statuses[status]),
        () => void setStatus({ ...lead, status }, lead.status, false),
      )
    } catch (error) {
      show(list, lead)
      toasts.failed(explain(error))
    }
  }

  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Button icon="download" href={`/api/v1/leads.csv${csv && `?${csv}`}`} download="leads.csv">
          {common.value.download}
        </Button>
      </PageHead>
      <Filters words={words} />
      <Card flush>
        <ListTable
          list={list}
          label={words.list}
          rowKey={(lead) => lead.lead_id}
          empty={
            isFiltered ? (
              <Empty
                icon="search"
                title={words.noneTitle}
                action={<Button href={`${BASE}/leads`}>{words.clear}</Button>}
              >
                {words.none}
              </Empty>
            ) : (
              <Empty
                icon="lead"
                title={words.emptyTitle}
                action={<Button href={`${BASE}/widget`}>{words.emptyAction}</Button>}
              >
                {words.empty}
              </Empty>
            )
          }
          columns={[
            {
              label: words.name,
              cell: (lead) => (
                <a class="row-link" href={`${BASE}/leads/${lead.lead_id}${searchOf(query.value)}`}>
                  {lead.name || words.noName}
                </a>
              ),
            },
            {
              label: words.contact,
              cell: (lead) => (
                <span class="contact">
                  {lead.email && <a href={`mailto:${lead.email}`}>{lead.email}</a>}
                  {lead.phone && <a href={`tel:${lead.phone}`}>{lead.phone}</a>}
                </span>
              ),
            },
            {
              label: words.interest,
              cell: (lead) => <span class="cut">{lead.interest || '–'}</span>,
            },
            {
              label: words.status,
              cell: (lead) => (
                <StatusSelect
                  status={lead.status}
                  label={words.statusOf(lead.name || words.noName)}
                  words={words}
                  onPick={(status) => void setStatus(lead, status)}
                />
              ),
            },
            { label: words.owner, cell: (lead) => lead.owner?.name ?? '–' },
            { label: words.captured, end: true, cell: (lead) => <Ago at={lead.captured_at} /> },
          ]}
        />
      </Card>
    </>
  )
}

function show(list: List<Lead>, changed: Lead): void {
  list.change((rows) =>
    rows.map((row) => (row.lead_id === changed.lead_id ? { ...row, ...changed } : row)),
  )
}

function searchOf(query: URLSearchParams): string {
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

function Filters({ words }: { words: Words }): VNode {
  const { router, sites, hasSeveralSites } = useApp()
  const { query } = router
  const typed = useSignal(query.value.get('q') ?? '')
  useEffect(() => {
    if (typed.value.trim() === (query.value.get('q') ?? '')) return undefined
    const timer = setTimeout(() => router.setQuery({ q: typed.value.trim() }), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed.value])
  return (
    <div class="lead-filters">
      <input
        type="search"
        class="input"
        aria-label={words.search}
        placeholder={words.search}
        maxLength={100}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
      <select
        class="input"
        aria-label={words.status}
        value={query.value.get('status') ?? ''}
        onChange={(event) => router.setQuery({ status: event.currentTarget.value })}
      >
        <option value="">{words.allStatuses}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {words.statuses[status]}
          </option>
        ))}
      </select>
      {hasSeveralSites.value && (
        <select
          class="input"
          aria-label={words.site}
          value={query.value.get('site') ?? ''}
          onChange={(event) => router.setQuery({ site: event.currentTarget.value })}
        >
          <option value="">{words.allSites}</option>
          {sites.value?.map((site) => (
            <option key={site.tenant_id} value={site.tenant_id}>
              {site.name}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}
