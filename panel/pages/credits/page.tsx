import type { VNode } from 'preact'
import type { PageProps } from '../../app/pages.ts'
import type { Words } from '../../locales/en/credits.ts'
import { PageHead, Tabs } from '../../ui/page.tsx'
import { Balance } from './balance.tsx'
import { Ledger } from './ledger.tsx'
import { Plan } from './plan.tsx'
import { Usage } from './usage.tsx'
import './credits.css'

const TABS = ['overview', 'ledger', 'plan'] as const

/** The balance of credits, their usage, and the limits of the plan. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const tab = TABS.find((each) => each === params.tab) ?? 'overview'
  const pathOf = (each: string): string => (each === 'overview' ? '/credits' : `/credits/${each}`)
  return (
    <>
      <PageHead title={words.title} lead={words.leads[tab]} />
      <Tabs
        label={words.title}
        current={pathOf(tab)}
        items={TABS.map((each) => ({ path: pathOf(each), label: words.tabs[each] }))}
      />
      {tab === 'overview' && (
        <Balance words={words}>
          <Usage words={words} />
        </Balance>
      )}
      {tab === 'ledger' && <Ledger words={words} />}
      {tab === 'plan' && <Plan words={words} />}
    </>
  )
}
