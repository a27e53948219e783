import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { useResource } from '../../app/api/resource.ts'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/account/setup.ts'
import { Button } from '../../ui/button.tsx'
import { Brand, Icon } from '../../ui/icon.tsx'
import { LanguageSwitch } from '../../app/language/language-switch.tsx'
import { Loaded, PageHead, SitesLoading } from '../../ui/page.tsx'
import { AskStep } from './ask-step.tsx'
import { ContactStep } from './contact-step.tsx'
import { InstallStep } from './install-step.tsx'
import { KnowledgeStep } from './knowledge-step.tsx'
import { OwnerStep } from './owner-step.tsx'
import { SiteStep } from './site-step.tsx'
import './setup.css'

const STEPS = ['you', 'site', 'knowledge', 'ask', 'contact', 'install'] as const
type Step = (typeof STEPS)[number]

/**
 * The first run: who you are, the site, its knowledge, a trial, the contact form, the tag. The step is in the address, so
 * that it can be resumed; every step after the first can be skipped.
 */
export function Page({ words }: PageProps<Words>): VNode {
  const { api, router, session, sites } = useApp()
  const isSignedIn = Boolean(session.me.value)
  // The code leaves the address bar at once, so that the history does not keep it.
  const code = useSignal(router.hash)
  useEffect(() => {
    if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  }, [])

  const wanted = STEPS.find((step) => step === router.query.value.get('step'))
  const step: Step = isSignedIn ? (wanted ?? 'site') : 'you'
  const at = STEPS.indexOf(step)
  const open = (next: Step): void => router.go(`/setup?step=${next}`)
  const next = (): void => {
    const following = STEPS[at + 1]
    if (following) open(following)
    else router.go('/')
  }

  const setup = useResource<{ open: boolean }>(step === 'you' ? 'setup' : '', (signal) =>
    api.get('setup', {}, signal),
  )
  const isSetUp = step === 'you' && setup.value.value?.open === false
  // Every later step changes a site, which has to be known first.
  const shown = step === 'you' || sites.value !== undefined ? step : undefined

  return (
    <div class="setup">
      <header class="row between">
        <span class="brand row">
          <Brand />
          Sohbet
        </span>
        <LanguageSwitch />
      </header>
      <nav aria-label={words.title}>
        <ol class="steps">
          {STEPS.map((each, index) => (
            <li
              key={each}
              class={index < at ? 'done' : undefined}
              aria-current={index === at ? 'step' : undefined}
            >
              <span>{index < at ? <Icon name="check" /> : index + 1}</span>
              {words.steps[each]}
            </li>
          ))}
        </ol>
      </nav>
      <main>
        <PageHead
          title={isSetUp ? words.isSetUp : words.heads[step]}
          lead={isSetUp ? words.alreadySetUp : words.leads[step]}
        />
        {step === 'you' && (
          <Loaded of={setup}>
            {(value) =>
              value.open ? (
                <OwnerStep words={words} code={code.value} next={() => open('site')} />
              ) : isSignedIn ? (
                <Button kind="primary" onPress={next}>
                  {words.next}
                </Button>
              ) : (
                <Button kind="primary" href={`${BASE}/sign-in`}>
                  {words.toSignIn}
                </Button>
              )
            }
          </Loaded>
        )}
        {shown === undefined && <SitesLoading />}
        {shown === 'site' && <SiteStep words={words} next={next} />}
        {shown === 'knowledge' && <KnowledgeStep words={words} next={next} />}
        {shown === 'ask' && <AskStep words={words} next={next} />}
        {shown === 'contact' && <ContactStep words={words} next={next} />}
        {shown === 'install' && <InstallStep words={words} next={() => router.go('/')} />}
        {isSignedIn && step !== 'you' && step !== 'install' && (
          <p class="skip-step">
            <Button kind="plain" small onPress={next}>
              {words.skip}
            </Button>
          </p>
        )}
      </main>
    </div>
  )
}
