import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Tenant } from '../../../server/tenants/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/appointments.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, PageHead, SitesLoading, Tabs } from '../../ui/page.tsx'
import { AppointmentList } from './appointment-list.tsx'
import { CalendarFeed } from './calendar-feed.tsx'
import { HoursForm } from './hours-form.tsx'
import { WeekView } from './week-view.tsx'
import './appointments.css'

/** Appointments of a site: its week, the list, and when what can be booked. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const { session, site, sites } = useApp()
  if (sites.value === undefined) return <SitesLoading title={words.title} />
  const tenant = site.value
  if (!tenant) {
    return (
      <>
        <PageHead title={words.title} />
        <Empty
          icon="calendar"
          title={words.noSite}
          action={session.me.value?.user.role !== 'operator' && <Setup words={words} />}
        >
          {words.noSiteText}
        </Empty>
      </>
    )
  }
  const view = params.view ?? 'week'
  return (
    <>
      <PageHead title={words.title} lead={words.lead(tenant.name, tenant.time_zone)}>
        <Downloads tenant={tenant} words={words} />
      </PageHead>
      <Tabs
        label={words.viewsLabel}
        current={view === 'week' ? '/appointments' : `/appointments/${view}`}
        items={[
          { path: '/appointments', label: words.views.week },
          { path: '/appointments/list', label: words.views.list },
          { path: '/appointments/hours', label: words.views.hours },
        ]}
      />
      {view === 'hours' ? (
        <HoursForm key={tenant.tenant_id} tenant={tenant} words={words} />
      ) : view === 'list' ? (
        <AppointmentList tenant={tenant} words={words} />
      ) : (
        <WeekView tenant={tenant} words={words} />
      )}
    </>
  )
}

function Setup({ words }: { words: Words }): VNode {
  return (
    <Button kind="primary" href={`${BASE}/setup?step=site`}>
      {words.addSite}
    </Button>
  )
}

function Downloads({ tenant, words }: { tenant: Tenant; words: Words }): VNode {
  const { words: common } = useApp()
  const hasFeed = useSignal(false)
  const query = `?tenant_id=${encodeURIComponent(tenant.tenant_id)}`
  return (
    <>
      <Button icon="calendar" onPress={() => (hasFeed.value = true)}>
        {words.feed.open}
      </Button>
      <Button icon="download" href={`/api/v1/appointments.csv${query}`} download="appointments.csv">
        {common.value.download}
      </Button>
      {hasFeed.value && (
        <CalendarFeed tenant={tenant} words={words} onClose={() => (hasFeed.value = false)} />
      )}
    </>
  )
}
