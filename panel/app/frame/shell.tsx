import { useComputed, useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { OwnAccount } from '../../../server/platform/account/schema.ts'
import { Button } from '../../ui/button.tsx'
import { Brand, Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Avatar, Empty } from '../../ui/page.tsx'
import { useApp, type PanelApp } from '../app-context.ts'
import { ClosingBanner } from './closing-banner.tsx'
import { CreditBanner } from './credit-banner.tsx'
import { CommandPalette } from './command-palette.tsx'
import { hasKeys, isTakenBy, KeysHelp, PALETTE_KEYS } from './keys-help.tsx'
import { useInboxAlerts } from '../alerts/inbox-alerts.ts'
import type { Language } from '../language/language.ts'
import { NotFound, PageHost, type Match } from './page-host.tsx'
import { addressOf, maySee, PAGES, type PageEntry } from '../pages.ts'
import { BASE } from '../router.ts'
import type { Me } from '../api/session.ts'
import { THEMES, applyTheme, storedTheme } from '../theme.ts'

const GROUPS = ['work', 'site', 'build', 'workspace'] as const
/** Pages that use the whole width and scroll on their own. */
const FULL = new Set<string>(['inbox'])

/** The frame of the signed-in panel: navigation, banners and the page, where the address has one. */
export function Shell({ me, match }: { me: Me; match: Match | undefined }): VNode {
  const app = useApp()
  const name = match?.entry.name
  const { words, router } = app
  const isOpen = useSignal(false)
  const isSearching = useSignal(false)
  const showsKeys = useSignal(false)
  const isOnline = useSignal(navigator.onLine)
  const main = useRef<HTMLElement>(null)
  const side = useRef<HTMLElement>(null)
  const waiting = useInboxAlerts(app)

  useEffect(() => {
    const follow = (): void => {
      isOnline.value = navigator.onLine
    }
    const press = (event: KeyboardEvent): void => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        isSearching.value = true
      }
      // A page that has keys of its own has taken the event and shows all of them.
      const isFree = hasKeys.value && !event.defaultPrevented && !isTakenBy(event.target)
      if (event.key === '?' && isFree) showsKeys.value = true
    }
    addEventListener('online', follow)
    addEventListener('offline', follow)
    addEventListener('keydown', press)
    return () => {
      removeEventListener('online', follow)
      removeEventListener('offline', follow)
      removeEventListener('keydown', press)
    }
  }, [])

  // The menu of a phone lies over the page: the keyboard goes there, and comes back from there,
  // before the next key can be pressed: a later move would take that key to another place.
  useLayoutEffect(() => {
    if (!isOpen.value) return undefined
    side.current?.querySelector('a')?.focus()
    const press = (event: KeyboardEvent): void => {
      const isFree = event.target instanceof Element && !event.target.closest('dialog, [popover]')
      if (event.key === 'Escape' && isFree) isOpen.value = false
    }
    addEventListener('keydown', press)
    return () => {
      removeEventListener('keydown', press)
      const { activeElement: focused } = document
      const wasInMenu = focused === document.body || side.current?.contains(focused) === true
      if (wasInMenu) document.querySelector<HTMLElement>('.top button')?.focus()
    }
  }, [isOpen.value])

  // A new page begins at its top, for screen readers too.
  useLayoutEffect(() => {
    isOpen.value = false
    main.current?.focus({ preventScroll: true })
  }, [name])

  return (
    <div class={isOpen.value ? 'shell open' : 'shell'}>
      <a class="button primary skip" href="#content">
        {words.value.skip}
      </a>
      <header ref={side} class="side">
        <a class="brand" href={BASE}>
          <Brand />
          <span class="ellipsis">{me.workspace.name}</span>
        </a>
        <button type="button" class="search" onClick={() => (isSearching.value = true)}>
          <Icon name="search" />
          {words.value.search}
          <kbd>{PALETTE_KEYS}</kbd>
        </button>
        <SiteChoice />
        <Navigation me={me} current={name} waiting={waiting.value} />
        <div class="foot">
          <PersonMenu me={me} />
        </div>
      </header>
      {isOpen.value && (
        <button
          type="button"
          class="veil"
          aria-label={words.value.close}
          onClick={() => (isOpen.value = false)}
        />
      )}
      <div class="content">
        <header class="top">
          <Button
            kind="plain"
            icon="menu"
            label={words.value.menu}
            onPress={() => (isOpen.value = !isOpen.value)}
          />
          <a class="brand grow" href={BASE}>
            <span class="ellipsis">{me.workspace.name}</span>
          </a>
          <Button
            kind="plain"
            icon="search"
            label={words.value.search}
            onPress={() => (isSearching.value = true)}
          />
        </header>
        {!isOnline.value && (
          <div class="banner" role="status">
            {words.value.offline}
          </div>
        )}
        <ClosingBanner me={me} />
        <CreditBanner me={me} />
        <main
          id="content"
          ref={main}
          tabIndex={-1}
          class={name !== undefined && FULL.has(name) ? 'full' : undefined}
        >
          {match === undefined ? (
            <NotFound />
          ) : maySee(match.entry, me) ? (
            <PageHost match={match} />
          ) : (
            <Empty
              isPage
              icon="shield"
              title={words.value.notAllowed}
              action={<Button href={BASE}>{words.value.goHome}</Button>}
            >
              {words.value.notAllowedText}
            </Empty>
          )}
        </main>
      </div>
      {showsKeys.value && <KeysHelp onClose={() => (showsKeys.value = false)} />}
      {isSearching.value && (
        <CommandPalette
          me={me}
          onClose={() => (isSearching.value = false)}
          onPick={(path) => {
            isSearching.value = false
            router.go(path)
          }}
        />
      )}
    </div>
  )
}

function titleOf(entry: PageEntry, titles: Record<string, string>): string {
  return titles[entry.name] ?? ''
}

function Navigation({
  me,
  current,
  waiting,
}: {
  me: Me
  current: string | undefined
  waiting: number
}): VNode {
  const { words, format } = useApp()
  const shown: readonly PageEntry[] = PAGES.filter((entry) => maySee(entry, me))
  return (
    <nav class="nav" aria-label={words.value.panel}>
      {GROUPS.map((group) => {
        const entries = shown.filter((entry) => entry.group === group)
        if (entries.length === 0) return null
        return (
          <div key={group}>
            <h2>{words.value.groups[group]}</h2>
            {entries.map((entry) => (
              <a
                key={entry.name}
                href={`${BASE}${addressOf(entry)}`.replace(/\/$/, '')}
                aria-current={entry.name === current ? 'page' : undefined}
              >
                {entry.icon && <Icon name={entry.icon} />}
                {titleOf(entry, words.value.pages)}
                {entry.name === 'inbox' && waiting > 0 && (
                  <span class="count">{format.value.number(waiting)}</span>
                )}
              </a>
            ))}
          </div>
        )
      })}
    </nav>
  )
}

/** Changes the language here and in the account, for its mails and for other browsers. */
async function speak(app: PanelApp, language: Language): Promise<void> {
  await app.chooseLanguage(language)
  try {
    await app.takeAccount(await app.api.patch<OwnAccount>('account', { locale: language }))
  } catch (error) {
    app.toasts.failed(app.explain(error))
  }
}

function SiteChoice(): VNode | null {
  const { sites, site, hasSeveralSites, words, chooseSite } = useApp()
  if (!hasSeveralSites.value) return null
  return (
    <div class="field">
      <select
        class="input"
        aria-label={words.value.site}
        disabled={sites.value === undefined}
        value={site.value?.tenant_id}
        onChange={(event) => chooseSite(event.currentTarget.value)}
      >
        {sites.value?.map((tenant) => (
          <option key={tenant.tenant_id} value={tenant.tenant_id}>
            {tenant.name}
          </option>
        ))}
      </select>
    </div>
  )
}

function PersonMenu({ me }: { me: Me }): VNode {
  const app = useApp()
  const { words, session } = app
  const theme = useSignal(storedTheme())
  const nextTheme = useComputed(
    () => THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system',
  )
  // The owner of the settings has no name until one is typed in.
  const name = me.user.name || me.user.email
  const other = app.language.value === 'tr' ? 'en' : 'tr'
  return (
    <Menu
      label={name}
      class="person"
      items={[
        { label: words.value.pages.account, icon: 'settings', href: `${BASE}/account` },
        {
          label: `${words.value.theme}: ${words.value.themes[theme.value]}`,
          icon: 'desktop',
          onPick: () => {
            theme.value = nextTheme.value
            applyTheme(theme.value)
          },
        },
        {
          label: other === 'tr' ? 'Türkçe' : 'English',
          icon: 'globe',
          onPick: () => void speak(app, other),
        },
        { label: words.value.signOut, icon: 'right', onPick: () => void session.signOut() },
      ]}
    >
      <Avatar name={name} picture={app.account.value?.picture_url ?? null} />
      <span class="grow ellipsis">
        {name}
        <br />
        <span class="soft small">{words.value.roles[me.user.role]}</span>
      </span>
    </Menu>
  )
}
