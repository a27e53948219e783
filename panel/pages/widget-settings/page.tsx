import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import { EmbedGuide } from '../../embed/installation.tsx'
import { WidgetPreview } from '../../embed/widget-preview.tsx'
import type { Words } from '../../locales/en/widget-settings.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, PageHead, SitesLoading, Tabs } from '../../ui/page.tsx'
import { BASE } from '../../app/router.ts'
import { Editor } from './editor.tsx'

const TABS = ['appearance', 'texts', 'forms', 'pages', 'install'] as const

/** How the chat of a site looks, what it says, where it shows, and the tag for the website. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const { site, sites, language } = useApp()
  const tab = TABS.find((each) => each === params.tab) ?? 'appearance'
  if (sites.value === undefined) return <SitesLoading title={words.title} />
  if (!site.value) {
    return (
      <>
        <PageHead title={words.title} />
        <Empty
          icon="widget"
          title={words.noSite}
          action={
            <Button kind="primary" href={`${BASE}/setup?step=site`}>
              {words.addSite}
            </Button>
          }
        >
          {words.noSiteText}
        </Empty>
        <WidgetPreview title={words.preview} locale={language.value} name={words.newSite} />
      </>
    )
  }
  const { tenant_id: tenantId } = site.value
  return (
    <>
      <PageHead title={words.title} lead={words.leads[tab]} />
      <Tabs
        label={words.title}
        current={tab === 'appearance' ? '/widget' : `/widget/${tab}`}
        items={TABS.map((each) => ({
          path: each === 'appearance' ? '/widget' : `/widget/${each}`,
          label: words.tabs[each],
        }))}
      />
      {tab === 'install' ? (
        <Card>
          <EmbedGuide tenantId={tenantId} words={words.embed} />
        </Card>
      ) : (
        <Editor key={`${tenantId} ${tab}`} site={site.value} tab={tab} words={words} />
      )}
    </>
  )
}
