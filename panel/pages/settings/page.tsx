import type { FunctionComponent, VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import type { Words } from '../../locales/en/settings.ts'
import { PageHead, Tabs } from '../../ui/page.tsx'
import { Data } from './data.tsx'
import { Identity } from './identity.tsx'
import { Mail } from './mail.tsx'
import { Models } from './models.tsx'
import { Privacy } from './privacy.tsx'
import { Sites } from './sites.tsx'
import { WorkspaceForm } from './workspace-form.tsx'
import './settings.css'

const TABS = ['workspace', 'sites', 'models', 'mail', 'privacy', 'identity', 'data'] as const
const CONTENT: Record<(typeof TABS)[number], FunctionComponent<{ words: Words }>> = {
  workspace: WorkspaceForm,
  sites: Sites,
  models: Models,
  mail: Mail,
  privacy: Privacy,
  identity: Identity,
  data: Data,
}

/** Settings of the whole workspace, and those of one site that rarely change. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const { words: common } = useApp()
  const tab = TABS.find((each) => each === params.tab) ?? 'workspace'
  const Content = CONTENT[tab]
  const pathOf = (each: string): string =>
    each === 'workspace' ? '/settings' : `/settings/${each}`
  return (
    <>
      <PageHead title={words.title} />
      <Tabs
        label={words.title}
        current={pathOf(tab)}
        items={[
          ...TABS.map((each) => ({ path: pathOf(each), label: words.tabs[each] })),
          { path: '/webhooks', label: common.value.pages.webhooks },
        ]}
      />
      <Content words={words} />
    </>
  )
}
