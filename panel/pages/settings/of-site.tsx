import type { ComponentChildren, VNode } from 'preact'
import type { Tenant } from '../../../server/tenants/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, SitesLoading } from '../../ui/page.tsx'

/** Settings of the chosen site, which is named above them. */
export function OfSite({
  words,
  lead,
  children,
}: {
  words: Words
  lead: (site: string) => string
  children: (site: Tenant) => ComponentChildren
}): VNode {
  const { site, sites } = useApp()
  if (sites.value === undefined) return <SitesLoading />
  if (!site.value) {
    return (
      <Empty
        icon="widget"
        title={words.noSite}
        action={<Button href={`${BASE}/settings/sites`}>{words.tabs.sites}</Button>}
      >
        {words.noSitesText}
      </Empty>
    )
  }
  return (
    <div class="settings stack">
      <p class="soft">{lead(site.value.name)}</p>
      {children(site.value)}
    </div>
  )
}
