import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

export const SERVER = join(import.meta.dirname, 'server')

/** Every folder below `server/` that holds files, such as `chat/turn`. */
export const SERVER_FOLDERS = readdirSync(SERVER, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => relative(SERVER, join(entry.parentPath, entry.name)))

/**
 * The granted imports, lowest folder first: each folder below `server/` lists the folders that it may import.
 * A grant of `chat` is for the files of that folder, not for its sub-folders. Three things need no
 * grant: a `schema.ts`; the kernel, which is `events/` and the files directly in `server/`; and the
 * way between a folder and its own sub-folders. The linter enforces the map, and
 * `test/unit/structure.test.ts` refuses a grant that is not used and a circle.
 */
export const MAY_IMPORT: Readonly<Record<string, string>> = {
  events: '',
  'http/openapi': '',
  lib: '',
  'lib/text': '',
  locales: '',
  'locales/answers': '',
  'locales/pages': '',
  'storage/migrations': '',
  http: 'lib lib/text locales/pages',
  'knowledge/parsers': 'lib/text',
  models: 'lib',
  'models/http': 'lib',
  'platform/secrets': 'lib',
  pubsub: 'lib',
  storage: 'lib',
  'storage/postgres': 'lib',
  'storage/sqlite': 'lib',
  delivery: 'lib http',
  'delivery/queue': 'lib http storage',
  'integrations/channels': 'lib http',
  jobs: 'lib pubsub storage',
  'knowledge/search': 'lib/text knowledge/parsers',
  'knowledge/search/intents': 'lib/text knowledge/parsers',
  'knowledge/search/lexicon': '',
  live: 'lib http pubsub storage',
  'models/anthropic': 'models/http',
  'models/embedded': 'lib lib/text models/http',
  'models/embedded/lexicon': '',
  'models/embedded/understanding': 'lib/text knowledge/search models/embedded/lexicon',
  'models/embedded/answers': [
    'lib/text locales/answers models/embedded/lexicon models/embedded/understanding',
  ].join(' '),
  'models/openai': 'lib models/http',
  net: 'lib http',
  'platform/audit': 'lib http storage',
  runtime: 'lib http storage',
  'delivery/http': 'lib net',
  mail: 'lib lib/text locales http platform/secrets storage jobs',
  'webhook-inspector': 'lib lib/text locales http delivery net',
  'delivery/worker': 'lib pubsub storage delivery/queue delivery/http',
  'http/requests': 'lib',
  platform: 'lib http storage mail http/requests',
  'platform/two-factor': 'lib http storage platform/audit',
  'platform/auth': [
    'lib lib/text http platform/secrets storage platform/audit mail platform/two-factor',
  ].join(' '),
  'platform/account': [
    'lib http storage platform/audit http/requests platform/two-factor platform/auth',
  ].join(' '),
  presence: 'lib http storage platform/auth',
  credits: 'lib http storage jobs platform platform/auth',
  'knowledge/snapshots': 'lib lib/text storage knowledge/search',
  'knowledge/vectors': 'lib models storage jobs knowledge/search',
  knowledge: 'lib lib/text http storage platform/audit http/requests platform/auth',
  quotas: 'http storage platform/auth',
  'knowledge/documents': [
    'lib http knowledge/parsers storage jobs knowledge/search platform/audit platform/auth',
    'knowledge/snapshots knowledge/vectors quotas',
  ].join(' '),
  'platform/members': 'lib http storage platform/audit platform/auth quotas',
  'prompts/library': 'models platform/auth',
  subscriptions: [
    'lib http storage delivery delivery/queue net platform/audit delivery/http',
    'delivery/worker platform/auth',
  ].join(' '),
  tenants: [
    'lib http storage models/embedded/answers platform/audit http/requests platform/auth',
    'credits quotas',
  ].join(' '),
  chat: 'lib http live platform/audit platform platform/auth credits tenants',
  'chat/visitor': 'lib lib/text http storage platform/audit mail platform/auth tenants',
  'knowledge/crawl': 'lib http knowledge/parsers storage net platform/audit knowledge/documents',
  'knowledge/unanswered': 'lib lib/text http storage platform/auth knowledge/documents',
  prompts: 'lib http models storage models/embedded platform/audit platform/auth tenants',
  'prompts/runs': 'lib http models models/http storage runtime platform platform/auth credits',
  rules: [
    'lib http storage delivery delivery/queue net platform/audit delivery/http',
    'delivery/worker platform/auth tenants',
  ].join(' '),
  workspaces: [
    'lib http models platform/secrets storage net platform/audit mail platform/auth credits',
    'quotas',
  ].join(' '),
  analytics: 'lib http storage http/requests platform/auth credits tenants chat/visitor',
  'chat/session': [
    'lib lib/text locales http storage live platform/audit platform/auth platform/members',
    'tenants chat/visitor',
  ].join(' '),
  demo: 'knowledge/documents tenants workspaces',
  integrations: 'lib http storage jobs net platform/audit platform/auth tenants chat/session',
  operator: [
    'lib http storage delivery/queue platform/audit mail platform/auth knowledge rules',
    'integrations',
  ].join(' '),
  setup: 'lib locales http storage platform/audit platform/auth tenants workspaces demo',
  'knowledge/jobs': [
    'lib http knowledge/parsers jobs net http/requests knowledge/documents knowledge/crawl',
  ].join(' '),
  boot: 'lib http storage runtime demo',
  'chat/handoff': [
    'lib lib/text http storage knowledge/search platform/auth presence tenants chat/session',
  ].join(' '),
  appointments: [
    'lib lib/text locales http storage platform/audit mail http/requests platform',
    'platform/auth tenants chat chat/visitor chat/session chat/handoff',
  ].join(' '),
  'chat/turn/checks': 'lib lib/text',
  'chat/turn': [
    'lib lib/text http knowledge/parsers models storage knowledge/search models/embedded',
    'models/embedded/understanding models/embedded/answers runtime platform platform/auth',
    'credits knowledge/documents tenants chat/visitor prompts chat/session chat/handoff',
  ].join(' '),
  evaluation: [
    'lib lib/text http storage jobs knowledge/search models/embedded runtime platform/auth',
    'credits knowledge/documents tenants chat/session chat/turn',
  ].join(' '),
  leads: [
    'lib lib/text http platform/secrets storage platform/audit platform platform/auth',
    'platform/members tenants chat chat/visitor chat/session chat/handoff',
  ].join(' '),
  notifications: [
    'lib lib/text locales http storage jobs mail platform/auth tenants chat/session leads',
  ].join(' '),
  'notifications/push': 'lib http storage jobs net platform/auth',
  inbox: [
    'lib lib/text http storage platform platform/auth platform/members tenants chat',
    'chat/visitor chat/session chat/turn leads',
  ].join(' '),
  overview: 'lib lib/text http storage platform/auth credits tenants analytics inbox',
  attachments: [
    'lib http storage http/requests platform/auth quotas tenants chat chat/session inbox',
  ].join(' '),
  'integrations/inbound': [
    'lib locales http storage integrations/channels platform platform/auth tenants',
    'chat/session chat/handoff chat/turn',
  ].join(' '),
  'locales/noscript': '',
  noscript: [
    'lib lib/text http storage http/requests platform platform/auth tenants chat chat/visitor',
    'chat/session chat/handoff chat/turn leads locales/noscript',
  ].join(' '),
  'integrations/outbound': [
    'lib lib/text http storage integrations/channels net platform/auth chat/session',
    'integrations/inbound',
  ].join(' '),
  'integrations/payments': [
    'lib http integrations/channels platform/auth workspaces integrations/inbound',
  ].join(' '),
  'locales/actions': '',
  actions: [
    'lib lib/text http storage delivery models/embedded/lexicon models/embedded/understanding',
    'models/embedded/answers net platform/audit delivery/http platform/auth',
    'knowledge/documents tenants chat/visitor prompts chat/session chat/handoff chat/turn',
    'locales/actions',
  ].join(' '),
  privacy: [
    'lib http storage platform/audit platform/auth tenants chat/visitor chat/session',
    'appointments inbox actions',
  ].join(' '),
  'integrations/posts': [
    'lib http storage integrations/channels platform/audit platform/auth',
    'integrations/outbound',
  ].join(' '),
  'http/static': 'lib',
  mcp: [
    'lib http platform/audit platform/auth knowledge/documents tenants chat/visitor prompts',
    'prompts/runs',
  ].join(' '),
  'mcp/tools': [
    'http platform/audit platform/auth knowledge knowledge/documents tenants chat',
    'knowledge/unanswered prompts/runs chat/session appointments chat/turn leads inbox',
  ].join(' '),
  doctor: 'lib http models models/http storage storage/sqlite models/openai mail',
  telemetry: 'lib http storage delivery/http',
}

/** Whether a file of `from` may import a file of `to`. */
export function isGranted(from: string, to: string): boolean {
  const isFamily = from.startsWith(`${to}/`) || to.startsWith(`${from}/`)
  if (from === to || isFamily || to === 'events') return true
  return (MAY_IMPORT[from] ?? '').split(' ').includes(to)
}
