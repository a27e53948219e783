import type { VNode } from 'preact'
import type { PageProps } from '../../app/pages.ts'
import type { Words } from '../../locales/en/developers.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead, Tabs } from '../../ui/page.tsx'
import { AuditLog } from './audit-log.tsx'
import { ApiKeys } from './api-keys.tsx'
import './developers.css'

const TABS = ['keys', 'audit'] as const

/** API keys, the reference, and who did what. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const tab = TABS.find((each) => each === params.tab) ?? 'keys'
  const pathOf = (each: string): string => (each === 'keys' ? '/developers' : `/developers/${each}`)
  return (
    <>
      <PageHead title={words.title} lead={words.leads[tab]}>
        <Button icon="book" href="/docs">
          {words.reference}
        </Button>
      </PageHead>
      <Tabs
        label={words.title}
        current={pathOf(tab)}
        items={TABS.map((each) => ({ path: pathOf(each), label: words.tabs[each] }))}
      />
      {tab === 'keys' ? <ApiKeys words={words} /> : <AuditLog words={words} />}
    </>
  )
}
