import type { VNode } from 'preact'
import type { OwnAccount } from '../../../server/platform/account/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import { useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/account/account.ts'
import { Loaded, PageHead, Tabs } from '../../ui/page.tsx'
import { Notifications } from './notifications.tsx'
import { Profile } from './profile.tsx'
import { Security } from './security.tsx'
import { Sessions } from './sessions.tsx'
import './account.css'

const TABS = ['profile', 'security', 'sessions', 'notifications'] as const

/** The user's own account: profile, sign-in, open sessions and notifications. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const { api } = useApp()
  const tab = TABS.find((each) => each === params.tab) ?? 'profile'
  const account = useResource<OwnAccount>('account', (signal) => api.get('account', {}, signal))
  return (
    <>
      <PageHead title={words.title} />
      <Tabs
        label={words.title}
        current={tab === 'profile' ? '/account' : `/account/${tab}`}
        items={TABS.map((each) => ({
          path: each === 'profile' ? '/account' : `/account/${each}`,
          label: words.tabs[each],
        }))}
      />
      {tab === 'profile' && (
        <Loaded of={account}>
          {(value) => <Profile account={value} words={words} onChange={account.set} />}
        </Loaded>
      )}
      {tab === 'security' && (
        <Loaded of={account}>
          {(value) => <Security account={value} words={words} reload={account.reload} />}
        </Loaded>
      )}
      {tab === 'sessions' && <Sessions words={words} />}
      {tab === 'notifications' && <Notifications words={words} />}
    </>
  )
}
