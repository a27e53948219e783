import { parseArgs } from 'node:util'

/** Each benchmark prints its own table, measured in one run on this machine. */
const BENCHMARKS: Record<string, (only: readonly string[]) => Promise<void>> = {
  guard: async (only) => (await import('./guard.ts')).benchGuard(only),
  chat: async () => (await import('./chat.ts')).benchChat(),
  execute: async (only) => (await import('./execute.ts')).benchExecute(only),
  search: async () => (await import('./search.ts')).benchSearch(),
  vectors: async () => (await import('./vectors.ts')).benchVectors(),
  knowledge: async () => (await import('./knowledge.ts')).benchKnowledge(),
  live: async () => (await import('./live.ts')).benchLive(),
  delivery: async (only) => (await import('./delivery/delivery.ts')).benchDelivery(only),
  widget: async (only) => (await import('./widget/widget.ts')).benchWidget(only),
  overload: async () => (await import('./overload.ts')).benchOverload(),
  remote: async () => (await import('./remote.ts')).benchRemote(),
  scale: async () => (await import('./scale.ts')).benchScale(),
  panel: async (only) => (await import('./panel/panel.ts')).benchPanel(only),
  'crash-recovery': async (only) =>
    (await import('./delivery/crash-recovery.ts')).benchCrashRecovery(only),
}

const { positionals } = parseArgs({ allowPositionals: true })
const [name = '', ...only] = positionals
const bench = BENCHMARKS[name]
if (!bench) {
  process.stderr.write(`Say which one: npm run bench -- ${Object.keys(BENCHMARKS).join(' | ')}\n`)
  process.exit(1)
}
await bench(only)
