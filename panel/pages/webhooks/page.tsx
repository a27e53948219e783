import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import type { Words } from '../../locales/en/webhooks.ts'
import { PageHead, Tabs } from '../../ui/page.tsx'
import { DeadLetters } from './deliveries/dead-letters.tsx'
import { IntegrationPage } from './integrations/integration-page.tsx'
import { Integrations } from './integrations/integrations.tsx'
import { RulePage } from './rules/rule-page.tsx'
import { Rules } from './rules/rules.tsx'
import { SubscriptionPage } from './subscriptions/subscription-page.tsx'
import { Subscriptions } from './subscriptions/subscriptions.tsx'
import './webhooks.css'

const TABS = ['subscriptions', 'rules', 'dead-letters', 'integrations'] as const
type Tab = (typeof TABS)[number]

/** Outgoing and incoming webhooks: subscriptions, rules, dead letters, integrations. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const { session } = useApp()
  const isManager = session.me.value?.user.role !== 'operator'
  const first: Tab = isManager ? 'subscriptions' : 'dead-letters'
  const tab = TABS.find((each) => each === params.tab) ?? first
  const { id } = params
  if (tab === 'rules' && id !== undefined) {
    return <RulePage id={id} words={words} isManager={isManager} />
  }
  const shown = isManager ? tab : 'dead-letters'
  if (shown === 'subscriptions' && id !== undefined) {
    return <SubscriptionPage id={id} words={words} />
  }
  if (shown === 'integrations' && id !== undefined) {
    return <IntegrationPage id={id} words={words} />
  }
  return (
    <>
      <PageHead title={words.title} lead={words.leads[shown]} />
      {isManager && (
        <Tabs
          label={words.title}
          current={pathOf(shown)}
          items={TABS.map((each) => ({ path: pathOf(each), label: words.tabs[each] }))}
        />
      )}
      {shown === 'subscriptions' && <Subscriptions words={words} />}
      {shown === 'rules' && <Rules words={words} />}
      {shown === 'dead-letters' && <DeadLetters words={words} isManager={isManager} />}
      {shown === 'integrations' && <Integrations words={words} />}
    </>
  )
}

function pathOf(tab: Tab): string {
  return tab === 'subscriptions' ? '/webhooks' : `/webhooks/${tab}`
}
