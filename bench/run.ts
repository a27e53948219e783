import { parseArgs } from 'node:util'
import { type Step, makePage, runAll, sendFigures } from './report/all.ts'
import type { Figure } from './report/figure.ts'

type Bench = (only: readonly string[]) => Promise<readonly Figure[]>

/** Each benchmark prints its own table, measured in one run on this machine. */
const BENCHMARKS: Record<string, Bench> = {
  guard: async (only) => (await import('./guard.ts')).benchGuard(only),
  chat: async () => (await import('./chat.ts')).benchChat(),
  execute: async (only) => (await import('./execute.ts')).benchExecute(only),
  search: async () => (await import('./knowledge/search.ts')).benchSearch(),
  vectors: async () => (await import('./knowledge/vectors.ts')).benchVectors(),
  knowledge: async () => (await import('./knowledge/imports.ts')).benchKnowledge(),
  live: async () => (await import('./live.ts')).benchLive(),
  delivery: async (only) => (await import('./delivery/delivery.ts')).benchDelivery(only),
  widget: async (only) => (await import('./widget/widget.ts')).benchWidget(only),
  overload: async () => (await import('./overload.ts')).benchOverload(),
  remote: async () => (await import('./remote.ts')).benchRemote(),
  scale: async () => (await import('./scale.ts')).benchScale(),
  documents: async () => (await import('./growth/documents.ts')).benchDocuments(),
  restarts: async () => (await import('./growth/restarts.ts')).benchRestarts(),
  tenants: async () => (await import('./growth/tenants.ts')).benchTenants(),
  streams: async () => (await import('./growth/streams.ts')).benchStreams(),
  queue: async () => (await import('./growth/queue.ts')).benchQueue(),
  ledger: async () => (await import('./growth/ledger.ts')).benchLedger(),
  panel: async (only) => (await import('./panel/panel.ts')).benchPanel(only),
  'crash-recovery': async (only) =>
    (await import('./delivery/crash-recovery.ts')).benchCrashRecovery(only),
}

/** The parts of `all`, with the selection that bounds the whole at 20 minutes. */
const STEPS: readonly Step[] = [
  { name: 'chat', selection: [] },
  { name: 'execute', selection: ['alone'] },
  { name: 'live', selection: [] },
  { name: 'delivery', selection: ['bare loop', 'backlog', '/s for', 'endless', 'retries'] },
  { name: 'search', selection: [] },
  { name: 'vectors', selection: [] },
  { name: 'knowledge', selection: [] },
  { name: 'widget', selection: ['alone'] },
  { name: 'panel', selection: [] },
  { name: 'overload', selection: [] },
  { name: 'remote', selection: [] },
  { name: 'guard', selection: [] },
  { name: 'documents', selection: [] },
  { name: 'restarts', selection: [] },
  { name: 'tenants', selection: [] },
  { name: 'streams', selection: [] },
  { name: 'queue', selection: [] },
  { name: 'ledger', selection: [] },
]

const { positionals } = parseArgs({ allowPositionals: true })
const [name = 'all', ...only] = positionals
const bench = BENCHMARKS[name]
const unknown = name === 'all' ? only.filter((part) => !BENCHMARKS[part]) : []
if (name === 'report') {
  makePage()
} else if (name === 'all' && unknown.length === 0) {
  const others = only
    .filter((part) => !STEPS.some((step) => step.name === part))
    .map((part): Step => ({ name: part, selection: [] }))
  const isWanted = (step: Step) => only.length === 0 || only.includes(step.name)
  await runAll([...STEPS.filter(isWanted), ...others])
} else if (bench) {
  sendFigures(await bench(only))
} else {
  const names = Object.keys(BENCHMARKS).join(' | ')
  process.stderr.write(
    `There is no benchmark ${unknown[0] ?? name}: npm run bench -- [all] ${names} | report\n`,
  )
  process.exitCode = 1
}
