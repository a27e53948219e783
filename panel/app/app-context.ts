import type { ReadonlySignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { OwnAccount } from '../../server/platform/account/schema.ts'
import type { Tenant } from '../../server/tenants/schema.ts'
import type { WorkspaceSettings } from '../../server/workspaces/schema.ts'
import type { CommonWords } from '../locales/en/common.ts'
import type { Api } from './api/api.ts'
import type { Format } from './language/format.ts'
import type { Language } from './language/language.ts'
import type { Live } from './api/live.ts'
import type { Router } from './router.ts'
import type { Session } from './api/session.ts'
import type { Toasts } from './alerts/toasts.ts'

/** The services that every page can use. */
export interface PanelApp {
  readonly session: Session
  readonly api: Api
  readonly router: Router
  readonly live: Live
  readonly toasts: Toasts
  readonly language: ReadonlySignal<Language>
  readonly words: ReadonlySignal<CommonWords>
  readonly format: ReadonlySignal<Format>
  /** The workspace's sites; `undefined` while they load. */
  readonly sites: ReadonlySignal<Tenant[] | undefined>
  /** Why the sites could not be loaded; `undefined` otherwise. */
  readonly sitesError: ReadonlySignal<unknown>
  /** While the sites load, as the last time: choices of a site keep their place from the start. */
  readonly hasSeveralSites: ReadonlySignal<boolean>
  /** The site that pages of one site show. */
  readonly site: ReadonlySignal<Tenant | undefined>
  chooseSite(tenantId: string): void
  reloadSites(): Promise<void>
  chooseLanguage(language: Language): Promise<void>
  /** The workspace's settings; `undefined` while they load. */
  readonly workspace: ReadonlySignal<WorkspaceSettings | undefined>
  reloadWorkspace(): Promise<void>
  /** The signed-in person's account; `undefined` while it loads. */
  readonly account: ReadonlySignal<OwnAccount | undefined>
  /** Shows a changed account, and takes over its language and time zone. Without one, reads it. */
  takeAccount(changed?: OwnAccount): Promise<void>
  /** Returns what an error says, in the reader's language, with what to do. */
  explain(error: unknown): string
}

export const AppContext = createContext<PanelApp | undefined>(undefined)

export function useApp(): PanelApp {
  const app = useContext(AppContext)
  if (!app) throw new Error('The panel has no context.')
  return app
}
