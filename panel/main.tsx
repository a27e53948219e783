import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'
import { render, type VNode } from 'preact'
import type { OwnAccount } from '../server/platform/account/schema.ts'
import type { Tenant } from '../server/tenants/schema.ts'
import type { WorkspaceSettings } from '../server/workspaces/schema.ts'
import { ApiError, type Page } from './app/api/api.ts'
import { AppContext, type PanelApp } from './app/app-context.ts'
import { createFormat } from './app/language/format.ts'
import { firstLanguage, languageOf, storeLanguage, type Language } from './app/language/language.ts'
import { createLive } from './app/api/live.ts'
import { PublicFrame, StartFrame } from './app/frame/public-frame.tsx'
import { findPage, NotFound } from './app/frame/page-host.tsx'
import { followNotifications } from './app/alerts/push.ts'
import { BASE, openRouter } from './app/router.ts'
import { openSession } from './app/api/session.ts'
import { Shell } from './app/frame/shell.tsx'
import { applyTheme, storedTheme } from './app/theme.ts'
import { Toaster } from './app/alerts/toaster.tsx'
import { createToasts } from './app/alerts/toasts.ts'
import type { CommonWords } from './locales/en/common.ts'
import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/blocks.css'
import './ui/tables.css'
import './ui/charts.css'
import './app/frame/shell.css'
// Browsers open six connections to a server: Home, the first page, is no request of its own.
// oxlint-disable-next-line import/no-unassigned-import -- the table of pages opens it
import './pages/home/page.tsx'

const SITE = 'sohbet.site'
const HAS_SEVERAL_SITES = 'sohbet.has-several-sites'
/** Pages of one site. Their address names it, so that a link opens the same site for a colleague. */
const OF_SITE =
  /^\/(?:appointments|knowledge|widget|actions)(?:\/|$)|^\/settings\/(?:privacy|identity)$/

async function loadWords(language: Language): Promise<CommonWords> {
  const { common } = await (language === 'tr'
    ? import('./locales/tr/common.ts')
    : import('./locales/en/common.ts'))
  return common
}

async function openPanel(): Promise<void> {
  applyTheme(storedTheme())
  const session = openSession()
  const router = openRouter()
  const language = signal(firstLanguage())
  // The page's code loads in parallel with the session; the page waits for it on its own.
  void findPage(router.path.value)
    ?.entry.load(language.value)
    .catch(() => undefined)
  const startError = signal<unknown>(undefined)
  const start = async (): Promise<void> => {
    try {
      await session.refresh()
      startError.value = undefined
    } catch (error) {
      startError.value = error
    }
  }
  void start()
  const words = signal(await loadWords(language.value))
  const sites = signal<Tenant[] | undefined>(undefined)
  const sitesError = signal<unknown>(undefined)
  const chosen = signal(localStorage.getItem(SITE) ?? '')
  const hadSeveralSites = localStorage.getItem(HAS_SEVERAL_SITES) !== 'false'
  const workspace = signal<WorkspaceSettings | undefined>(undefined)
  const account = signal<OwnAccount | undefined>(undefined)
  const { api, me } = session
  const isOfSite = computed(() => OF_SITE.test(router.path.value))
  const named = computed(() => (isOfSite.value ? router.query.value.get('site') : null))
  const siteOf = (id: string | null): Tenant | undefined =>
    sites.value?.find(({ tenant_id: each }) => each === id)
  const remember = (tenantId: string): void => {
    localStorage.setItem(SITE, tenantId)
    chosen.value = tenantId
  }

  const app: PanelApp = {
    session,
    api,
    router,
    live: createLive(() => void session.refresh().catch(() => undefined)),
    toasts: createToasts(),
    language,
    words,
    sites,
    sitesError,
    hasSeveralSites: computed(() =>
      sites.value === undefined ? hadSeveralSites : sites.value.length > 1,
    ),
    account,
    workspace,
    async reloadWorkspace() {
      workspace.value = await api.get<WorkspaceSettings>('workspace')
    },
    format: computed(() => createFormat(language.value, account.value?.time_zone)),
    site: computed(() => siteOf(named.value) ?? siteOf(chosen.value) ?? sites.value?.[0]),
    chooseSite(tenantId) {
      remember(tenantId)
      if (named.peek() !== null) router.setQuery({ site: tenantId })
    },
    async reloadSites() {
      try {
        const { data } = await api.get<Page<Tenant>>('tenants', { limit: 100 })
        sites.value = data
        sitesError.value = undefined
      } catch (error) {
        sitesError.value = error
        throw error
      }
    },
    async chooseLanguage(next) {
      storeLanguage(next)
      words.value = await loadWords(next)
      language.value = next
    },
    async takeAccount(changed) {
      const own = changed ?? (await api.get<OwnAccount>('account'))
      account.value = own
      const wanted = languageOf(own.locale)
      if (wanted && wanted !== language.value) await app.chooseLanguage(wanted)
    },
    explain(error) {
      if (!(error instanceof ApiError)) return words.value.errors.internal ?? ''
      const { errors } = words.value
      // The fields say themselves what is wrong with them.
      const ofFields = error.fields.length > 0 ? errors['invalid_fields'] : undefined
      return ofFields ?? errors[error.code] ?? error.message
    },
  }

  effect(() => {
    document.documentElement.lang = language.value
  })
  effect(() => {
    const id = app.site.value?.tenant_id
    if (id === undefined || !isOfSite.value || (sites.value?.length ?? 0) < 2) return
    if (named.value === id) remember(id)
    else router.setQuery({ site: id })
  })
  effect(() => {
    if (sites.value !== undefined) {
      localStorage.setItem(HAS_SEVERAL_SITES, String(sites.value.length > 1))
    }
  })
  effect(() => {
    if (me.value) void app.reloadSites().catch(() => undefined)
    else sites.value = undefined
  })
  effect(() => {
    const userId = me.value?.user.id
    if (account.peek()?.user_id === userId) return
    account.value = undefined
    workspace.value = undefined
    if (userId === undefined) return
    void app.reloadWorkspace().catch(() => undefined)
    api
      .get<OwnAccount>('account')
      .then((own) => (account.value = own))
      .catch(() => undefined)
  })
  followNotifications(router)
  const root = document.querySelector('#panel')
  if (root) render(<Panel app={app} startError={startError} start={start} />, root)
}

/** Chooses what the address shows: a public page, the sign-in, or a page in the frame. */
function Panel({
  app,
  startError,
  start,
}: {
  app: PanelApp
  startError: ReadonlySignal<unknown>
  start: () => Promise<void>
}): VNode {
  const { router, session } = app
  const match = findPage(router.path.value)
  const me = session.me.value
  return (
    <AppContext.Provider value={app}>
      {me === undefined ? (
        <StartFrame error={startError.value} retry={start} />
      ) : me && (match === undefined || match.entry.access === 'member') ? (
        <Shell me={me} match={match} />
      ) : match === undefined ? (
        <main>
          <NotFound />
        </main>
      ) : (
        <PublicFrame match={match.entry.access === 'member' ? signInFor() : match} />
      )}
      <Toaster />
    </AppContext.Provider>
  )
}

function signInFor(): NonNullable<ReturnType<typeof findPage>> {
  const match = findPage('/sign-in')
  if (!match) throw new Error(`${BASE}/sign-in is missing.`)
  return match
}

void openPanel()
