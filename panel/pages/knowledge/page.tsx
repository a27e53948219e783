import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import { BASE } from '../../app/router.ts'
import { AskConsole } from '../../knowledge/ask-console.tsx'
import type { Words } from '../../locales/en/knowledge.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, PageHead, SitesLoading, Tabs } from '../../ui/page.tsx'
import { DocumentPage } from './document-page.tsx'
import { Documents } from './documents.tsx'
import { Feedback } from './feedback.tsx'
import { TestSet } from './test-set.tsx'
import { Unanswered } from './unanswered.tsx'

const TABS = ['documents', 'console', 'unanswered', 'feedback', 'tests'] as const

/** The documents of a site, its unanswered questions, and the quality of its answers. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const { session, site, sites } = useApp()
  const mayAdd = session.me.value?.user.role !== 'operator'
  const tab = TABS.find((each) => each === params.tab) ?? 'documents'
  if (sites.value === undefined) return <SitesLoading title={words.title} />
  if (!site.value) {
    return (
      <>
        <PageHead title={words.title} />
        <Empty
          icon="book"
          title={words.noSite}
          action={
            mayAdd && (
              <Button kind="primary" href={`${BASE}/setup?step=site`}>
                {words.addSite}
              </Button>
            )
          }
        >
          {words.noSiteHint}
        </Empty>
      </>
    )
  }
  const { tenant_id: tenantId } = site.value
  if (tab === 'documents' && params.id !== undefined) {
    return <DocumentPage key={params.id} tenantId={tenantId} id={params.id} words={words} />
  }
  return (
    <>
      <PageHead title={words.title} lead={words.leads[tab]} />
      <Tabs
        label={words.title}
        current={tab === 'documents' ? '/knowledge' : `/knowledge/${tab}`}
        items={TABS.map((each) => ({
          path: each === 'documents' ? '/knowledge' : `/knowledge/${each}`,
          label: words.tabs[each],
        }))}
      />
      {tab === 'documents' && <Documents key={tenantId} tenantId={tenantId} words={words} />}
      {tab === 'console' && <AskConsole key={tenantId} tenantId={tenantId} words={words.ask} />}
      {tab === 'unanswered' && <Unanswered key={tenantId} tenantId={tenantId} words={words} />}
      {tab === 'feedback' && <Feedback key={tenantId} tenantId={tenantId} words={words} />}
      {tab === 'tests' && <TestSet key={tenantId} tenantId={tenantId} words={words} />}
    </>
  )
}
