import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { InstallationHealth } from '../../../server/operator/schema.ts'
import { ApiError } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import { useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/operator.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Brand } from '../../ui/icon.tsx'
import { LanguageSwitch } from '../../app/language/language-switch.tsx'
import { Failure, PageHead, Skeleton, Tabs } from '../../ui/page.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { Health } from './health.tsx'
import { Integrations } from './integrations.tsx'
import { Subscriptions } from './subscriptions.tsx'
import { WorkspacePage } from './workspace-page.tsx'
import { Workspaces } from './workspaces.tsx'
import './operator.css'

const TABS = ['workspaces', 'dead-letters', 'subscriptions', 'integrations', 'health'] as const

/** The console of the installation's operator; `OPERATOR_TOKEN` opens it for 12 hours. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const { api } = useApp()
  // Also checks whether the cookie is still valid.
  const health = useResource<InstallationHealth>('health', (signal) =>
    api.get('operator/health', {}, signal),
  )
  const { value: error } = health.error
  const status = error instanceof ApiError ? error.status : undefined
  if (health.value.value === undefined) {
    if (status === 401) return <SignIn words={words} onOpened={health.reload} />
    if (status === 404) return <SwitchedOff words={words} />
    if (error !== undefined) return <Failure error={error} retry={health.reload} />
    return <Skeleton />
  }
  return <Console health={health.value.value} words={words} params={params} />
}

function Console({
  health,
  words,
  params,
}: {
  health: InstallationHealth
  words: Words
  params: Record<string, string>
}): VNode {
  const { api } = useApp()
  const tab = TABS.find((each) => each === params.tab) ?? 'workspaces'
  const pathOf = (each: string): string =>
    each === 'workspaces' ? '/operator' : `/operator/${each}`
  return (
    <div class="operator">
      <header class="operator-top">
        <a class="operator-brand" href={`${BASE}/operator`}>
          <Brand />
          {words.title}
        </a>
        <span class="row">
          <LanguageSwitch />
          <Button
            kind="plain"
            small
            onPress={async () => {
              await api.delete('operator/session')
              location.assign(`${BASE}/operator`)
            }}
          >
            {words.signOut}
          </Button>
        </span>
      </header>
      <main>
        {tab === 'workspaces' && params.id !== undefined ? (
          <WorkspacePage id={params.id} words={words} />
        ) : (
          <>
            <PageHead title={words.tabs[tab]} lead={words.leads[tab]} />
            <Tabs
              label={words.title}
              current={pathOf(tab)}
              items={TABS.map((each) => ({ path: pathOf(each), label: words.tabs[each] }))}
            />
            {tab === 'workspaces' && <Workspaces words={words} />}
            {tab === 'dead-letters' && <DeadLetters words={words} />}
            {tab === 'subscriptions' && <Subscriptions words={words} />}
            {tab === 'integrations' && <Integrations words={words} />}
            {tab === 'health' && <Health health={health} words={words} />}
          </>
        )}
      </main>
    </div>
  )
}

function SignIn({ words, onOpened }: { words: Words; onOpened: () => Promise<void> }): VNode {
  const { api } = useApp()
  const form = useForm()
  const token = useSignal('')
  return (
    <div class="centered">
      <main>
        <div class="brand">
          <Brand />
          Sohbet
        </div>
        <div class="card">
          <PageHead title={words.title} lead={words.signInText} />
          <Form
            form={form}
            send={() => api.post('operator/session', { token: token.value.trim() })}
            done={onOpened}
            action={words.signIn}
          >
            <TextField
              label="OPERATOR_TOKEN"
              hint={words.tokenHint}
              value={token}
              type="password"
              autocomplete="current-password"
              error={form.errorOf('/token')}
            />
          </Form>
        </div>
        <p class="other-language">
          <LanguageSwitch />
        </p>
      </main>
    </div>
  )
}

function SwitchedOff({ words }: { words: Words }): VNode {
  return (
    <div class="centered">
      <main>
        <div class="card">
          <PageHead title={words.title} lead={words.switchedOffText} />
        </div>
      </main>
    </div>
  )
}
