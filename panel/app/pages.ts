import { h, type FunctionComponent } from 'preact'
import type { MemberRole } from '../../server/platform/schema.ts'
import type { z } from 'zod'
import type { IconName } from '../ui/icon.tsx'
import type { Language } from './language/language.ts'

export type Role = z.infer<typeof MemberRole>

/** Properties of a page: its words in the reader's language, and the parameters of its path. */
export interface PageProps<Words> {
  words: Words
  params: Record<string, string>
}

/** A page whose code and words are loaded. */
export type LoadedPage = FunctionComponent<{ params: Record<string, string> }>

export interface PageEntry {
  name: string
  /** Below `/panel`; see `matchPath`. */
  path: string
  access: 'public' | 'member' | 'operator'
  /** The roles that see the page; left out, all. */
  roles?: readonly Role[]
  icon?: IconName
  group?: 'work' | 'site' | 'build' | 'workspace'
  load: (language: Language) => Promise<LoadedPage>
}

interface Sources<Words> {
  page: () => Promise<{ Page: FunctionComponent<PageProps<Words>> }>
  en: () => Promise<{ words: Words }>
  tr: () => Promise<{ words: Words }>
}

function lazy<Words>({ page, en, tr }: Sources<Words>): PageEntry['load'] {
  return async (language) => {
    const [{ Page }, { words }] = await Promise.all([page(), language === 'tr' ? tr() : en()])
    return ({ params }) => h(Page, { words, params })
  }
}

const MANAGERS: readonly Role[] = ['owner', 'admin']

/** Every page of the panel. Its code and its words are loaded when it is first opened. */
export const PAGES = [
  {
    name: 'signIn',
    path: '/sign-in',
    access: 'public',
    load: lazy({
      page: () => import('../pages/sign-in/page.tsx'),
      en: () => import('../locales/en/account/sign-in.ts'),
      tr: () => import('../locales/tr/account/sign-in.ts'),
    }),
  },
  {
    name: 'setup',
    path: '/setup',
    access: 'public',
    load: lazy({
      page: () => import('../pages/setup/page.tsx'),
      en: () => import('../locales/en/account/setup.ts'),
      tr: () => import('../locales/tr/account/setup.ts'),
    }),
  },
  {
    name: 'password',
    path: '/password',
    access: 'public',
    load: lazy({
      page: () => import('../pages/password/page.tsx'),
      en: () => import('../locales/en/account/password.ts'),
      tr: () => import('../locales/tr/account/password.ts'),
    }),
  },
  {
    name: 'invitation',
    path: '/invitation',
    access: 'public',
    load: lazy({
      page: () => import('../pages/invitation/page.tsx'),
      en: () => import('../locales/en/account/invitation.ts'),
      tr: () => import('../locales/tr/account/invitation.ts'),
    }),
  },
  {
    name: 'confirmEmail',
    path: '/confirm-email',
    access: 'public',
    load: lazy({
      page: () => import('../pages/confirm-email/page.tsx'),
      en: () => import('../locales/en/account/confirm-email.ts'),
      tr: () => import('../locales/tr/account/confirm-email.ts'),
    }),
  },
  {
    name: 'home',
    path: '/',
    access: 'member',
    icon: 'home',
    group: 'work',
    load: lazy({
      page: () => import('../pages/home/page.tsx'),
      en: async () => ({ words: (await import('../locales/en/common.ts')).common.home }),
      tr: async () => ({ words: (await import('../locales/tr/common.ts')).common.home }),
    }),
  },
  {
    name: 'inbox',
    path: '/inbox/:id?',
    access: 'member',
    icon: 'inbox',
    group: 'work',
    load: lazy({
      page: () => import('../pages/inbox/page.tsx'),
      en: () => import('../locales/en/inbox.ts'),
      tr: () => import('../locales/tr/inbox.ts'),
    }),
  },
  {
    name: 'leads',
    path: '/leads/:id?',
    access: 'member',
    icon: 'lead',
    group: 'work',
    load: lazy({
      page: () => import('../pages/leads/page.tsx'),
      en: () => import('../locales/en/leads.ts'),
      tr: () => import('../locales/tr/leads.ts'),
    }),
  },
  {
    name: 'appointments',
    path: '/appointments/:view?',
    access: 'member',
    icon: 'calendar',
    group: 'work',
    load: lazy({
      page: () => import('../pages/appointments/page.tsx'),
      en: () => import('../locales/en/appointments.ts'),
      tr: () => import('../locales/tr/appointments.ts'),
    }),
  },
  {
    name: 'knowledge',
    path: '/knowledge/:tab?/:id?',
    access: 'member',
    icon: 'book',
    group: 'site',
    load: lazy({
      page: () => import('../pages/knowledge/page.tsx'),
      en: () => import('../locales/en/knowledge.ts'),
      tr: () => import('../locales/tr/knowledge.ts'),
    }),
  },
  {
    name: 'widget',
    path: '/widget/:tab?',
    access: 'member',
    roles: MANAGERS,
    icon: 'widget',
    group: 'site',
    load: lazy({
      page: () => import('../pages/widget-settings/page.tsx'),
      en: () => import('../locales/en/widget-settings.ts'),
      tr: () => import('../locales/tr/widget-settings.ts'),
    }),
  },
  {
    name: 'actions',
    path: '/actions/:id?/:tab?',
    access: 'member',
    roles: MANAGERS,
    icon: 'bolt',
    group: 'site',
    load: lazy({
      page: () => import('../pages/actions/page.tsx'),
      en: () => import('../locales/en/actions.ts'),
      tr: () => import('../locales/tr/actions.ts'),
    }),
  },
  {
    name: 'prompts',
    path: '/prompts/:id?/:tab?',
    access: 'member',
    icon: 'prompt',
    group: 'build',
    load: lazy({
      page: () => import('../pages/prompts/page.tsx'),
      en: () => import('../locales/en/prompts.ts'),
      tr: () => import('../locales/tr/prompts.ts'),
    }),
  },
  {
    name: 'webhooks',
    path: '/webhooks/:tab?/:id?',
    access: 'member',
    icon: 'webhook',
    group: 'build',
    load: lazy({
      page: () => import('../pages/webhooks/page.tsx'),
      en: () => import('../locales/en/webhooks.ts'),
      tr: () => import('../locales/tr/webhooks.ts'),
    }),
  },
  {
    name: 'developers',
    path: '/developers/:tab?',
    access: 'member',
    roles: MANAGERS,
    icon: 'code',
    group: 'build',
    load: lazy({
      page: () => import('../pages/developers/page.tsx'),
      en: () => import('../locales/en/developers.ts'),
      tr: () => import('../locales/tr/developers.ts'),
    }),
  },
  {
    name: 'reports',
    path: '/reports',
    access: 'member',
    roles: MANAGERS,
    icon: 'chart',
    group: 'workspace',
    load: lazy({
      page: () => import('../pages/reports/page.tsx'),
      en: () => import('../locales/en/reports.ts'),
      tr: () => import('../locales/tr/reports.ts'),
    }),
  },
  {
    name: 'credits',
    path: '/credits/:tab?',
    access: 'member',
    roles: MANAGERS,
    icon: 'coin',
    group: 'workspace',
    load: lazy({
      page: () => import('../pages/credits/page.tsx'),
      en: () => import('../locales/en/credits.ts'),
      tr: () => import('../locales/tr/credits.ts'),
    }),
  },
  {
    name: 'team',
    path: '/team',
    access: 'member',
    roles: MANAGERS,
    icon: 'team',
    group: 'workspace',
    load: lazy({
      page: () => import('../pages/team/page.tsx'),
      en: () => import('../locales/en/team.ts'),
      tr: () => import('../locales/tr/team.ts'),
    }),
  },
  {
    name: 'settings',
    path: '/settings/:tab?',
    access: 'member',
    roles: MANAGERS,
    icon: 'settings',
    group: 'workspace',
    load: lazy({
      page: () => import('../pages/settings/page.tsx'),
      en: () => import('../locales/en/settings.ts'),
      tr: () => import('../locales/tr/settings.ts'),
    }),
  },
  {
    name: 'account',
    path: '/account/:tab?',
    access: 'member',
    load: lazy({
      page: () => import('../pages/account/page.tsx'),
      en: () => import('../locales/en/account/account.ts'),
      tr: () => import('../locales/tr/account/account.ts'),
    }),
  },
  {
    name: 'operator',
    path: '/operator/:tab?/:id?',
    access: 'operator',
    load: lazy({
      page: () => import('../pages/operator/page.tsx'),
      en: () => import('../locales/en/operator.ts'),
      tr: () => import('../locales/tr/operator.ts'),
    }),
  },
] as const satisfies readonly PageEntry[]

/** Whether a role sees a page; the server decides what it may do. */
export function maySee(entry: PageEntry, me: { user: { role: Role } }): boolean {
  return entry.roles === undefined || entry.roles.includes(me.user.role)
}

/** Returns the address of a page below `/panel`, without its optional parameters. */
export function addressOf(entry: PageEntry): string {
  return entry.path.replace(/\/:.*$/, '') || '/'
}
