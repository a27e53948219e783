import type { VNode } from 'preact'
import type { Action } from '../../../server/actions/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import type { PageProps } from '../../app/pages.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/actions.ts'
import { Button } from '../../ui/button.tsx'
import { BackLink, Empty, Loaded, PageHead, SitesLoading } from '../../ui/page.tsx'
import { ActionList } from './action-list.tsx'
import { ActionView, type Tab } from './action-view.tsx'
import { NewActionForm } from './new-action.tsx'
import './actions.css'

const TABS = ['test', 'calls'] as const satisfies readonly Tab[]

/** The page of actions, which call the site's own systems: the list, one action, or a new one. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const { site, sites } = useApp()
  const { id, tab } = params
  if (sites.value === undefined) return <SitesLoading title={words.title} />
  if (!site.value) {
    return (
      <>
        <PageHead title={words.title} />
        <Empty
          icon="bolt"
          title={words.noSite}
          action={
            <Button kind="primary" href={`${BASE}/setup?step=site`}>
              {words.addSite}
            </Button>
          }
        >
          {words.noSiteText}
        </Empty>
      </>
    )
  }
  const { tenant_id: tenantId } = site.value
  const base = `tenants/${tenantId}/actions`
  if (id === undefined) {
    return (
      <>
        <PageHead title={words.title} lead={words.lead} />
        <ActionList key={tenantId} base={base} words={words} />
      </>
    )
  }
  return (
    <div class="stack">
      <BackLink path="/actions">{words.title}</BackLink>
      {id === 'new' ? (
        <NewActionForm key={tenantId} base={base} words={words} />
      ) : (
        <OneAction
          key={id}
          path={`${base}/${id}`}
          tab={TABS.find((each) => each === tab) ?? 'settings'}
          words={words}
        />
      )}
    </div>
  )
}

function OneAction({ path, tab, words }: { path: string; tab: Tab; words: Words }): VNode {
  const { api } = useApp()
  const action = useResource<Action>(path, (signal) => api.get(path, {}, signal))
  return (
    <Loaded of={action}>
      {(value) => (
        <ActionView value={value} path={path} tab={tab} words={words} onChange={action.set} />
      )}
    </Loaded>
  )
}
