import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

export const SERVER = join(import.meta.dirname, 'server')

/** Every folder below `server/` that holds files, such as `chat/turn`. */
export const SERVER_FOLDERS = readdirSync(SERVER, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => relative(SERVER, join(entry.parentPath, entry.name)))

/**
 * Who may import whom, lowest first: each folder below `server/` lists the folders that it may import.
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
  'storage/migrations': '',
  http: 'lib',
  'knowledge/parsers': 'lib/text',
  models: 'lib',
  'models/http': 'lib',
  'platform/secrets': 'lib',
  pubsub: 'lib',
  storage: 'lib',
  'storage/postgres': 'lib',
  'storage/sqlite': 'lib',
  delivery: 'lib http',
  'integrations/channels': 'lib http',
  jobs: 'lib pubsub storage',
  'knowledge/search': 'lib/text knowledge/parsers',
  live: 'lib http pubsub storage',
  'models/anthropic': 'models/http',
  'models/embedded': 'lib lib/text models/http',
  'models/openai': 'lib models/http',
  net: 'lib http',
  'platform/audit': 'lib http storage',
  runtime: 'lib http',
  'delivery/http': 'net',
  mail: 'lib lib/text locales http platform/secrets storage jobs',
  'webhook-inspector': 'lib lib/text locales http delivery net',
  'delivery/worker': 'lib pubsub storage delivery/http delivery/queue',
  platform: 'lib http storage mail',
  'platform/auth': 'lib http platform/secrets storage platform/audit mail',
  'chat/handoff': 'lib/text http platform/auth chat/session tenants',
  'chat/visitor': 'lib http storage platform/audit platform/auth tenants',
  'delivery/queue': 'lib http storage delivery/http delivery/worker',
  knowledge: 'lib lib/text http storage platform/audit platform/auth',
  'knowledge/documents': [
    'lib http knowledge/parsers storage jobs knowledge/search platform/audit platform/auth',
  ].join(' '),
  'platform/members': 'lib lib/text locales http storage platform/audit platform/auth',
  'prompts/library': 'models platform/auth',
  workspaces: 'lib http models platform/secrets storage net platform/audit platform/auth credits',
  credits: 'lib http storage jobs platform/audit platform platform/auth workspaces',
  'integrations/payments': [
    'lib http integrations/channels platform/auth workspaces integrations/inbound',
  ].join(' '),
  'knowledge/crawl': 'lib http knowledge/parsers storage net platform/audit knowledge/documents',
  'knowledge/unanswered': 'lib lib/text http storage platform/auth knowledge/documents',
  rules: [
    'lib http storage delivery net platform/audit delivery/http delivery/worker',
    'platform/auth delivery/queue',
  ].join(' '),
  subscriptions: [
    'lib locales http storage delivery net platform/audit delivery/http mail',
    'delivery/worker platform/auth delivery/queue',
  ].join(' '),
  'knowledge/jobs': 'lib http knowledge/parsers jobs net knowledge/documents knowledge/crawl',
  prompts: 'lib http models storage platform/audit runtime platform platform/auth credits',
  'chat/turn': [
    'lib lib/text http knowledge/parsers models storage knowledge/search models/embedded',
    'runtime platform platform/auth chat/handoff credits prompts chat/session tenants',
  ].join(' '),
  'chat/session': [
    'lib lib/text locales http storage live platform/audit mail platform/auth chat/visitor',
    'chat/turn tenants',
  ].join(' '),
  tenants: 'lib http storage models/embedded platform/audit platform/auth chat/session',
  chat: 'lib http storage live platform/audit platform platform/auth credits tenants',
  demo: 'lib http platform/auth knowledge/documents workspaces tenants',
  integrations: [
    'lib http storage delivery jobs net platform/audit platform/auth chat/session tenants',
  ].join(' '),
  'integrations/inbound': [
    'lib locales http storage integrations/channels platform platform/auth chat/handoff',
    'integrations/payments chat/turn chat/session tenants',
  ].join(' '),
  analytics: 'lib http storage platform/auth workspaces credits tenants chat',
  appointments: [
    'lib lib/text locales http storage platform/audit mail platform platform/auth',
    'chat/handoff chat/visitor chat/session tenants chat',
  ].join(' '),
  boot: 'lib http storage demo',
  'integrations/outbound': [
    'lib http storage integrations/channels net platform/auth chat/turn chat/session',
    'integrations/inbound',
  ].join(' '),
  leads: [
    'lib http platform/secrets storage platform/audit mail platform platform/auth',
    'chat/handoff chat/visitor chat/session tenants chat',
  ].join(' '),
  inbox: 'lib http storage platform/auth chat/session chat leads',
  'integrations/posts': [
    'lib http storage integrations/channels platform/audit platform/auth',
    'integrations/outbound',
  ].join(' '),
  noscript: [
    'lib lib/text locales http storage platform platform/auth chat/handoff chat/turn',
    'chat/session tenants chat leads',
  ].join(' '),
  privacy: [
    'http storage platform/audit platform/auth chat/visitor chat/session tenants',
    'appointments inbox',
  ].join(' '),
}

/** Whether a file of `from` may import a file of `to`. */
export function isGranted(from: string, to: string): boolean {
  const isFamily = from.startsWith(`${to}/`) || to.startsWith(`${from}/`)
  if (from === to || isFamily || to === 'events') return true
  return (MAY_IMPORT[from] ?? '').split(' ').includes(to)
}
