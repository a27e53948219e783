import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestProcess } from '../../test/helpers/process.ts'
import { deliver, openReaders, openSession, openSite, quantile } from '../live.ts'
import type { Figure } from '../report/figure.ts'
import { residentMegabytes } from '../server.ts'
import { growing } from './turns.ts'

const SIZES = [10, 100, 1_000, 10_000]

/** Measures an operator's message to one reader as the streams of other conversations grow. */
export async function benchStreams(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  const settings = { NODE_OPTIONS: '--max-semi-space-size=32' }
  const server = await startTestProcess({ dataDir, databaseUrl: undefined }, settings)
  const figures: Figure[] = []
  try {
    const site = await openSite(server)
    const others = await openSession(site)
    const session = await openSession(site)
    const reader = await openReaders(site, session, 1)
    // The first messages warm up.
    await deliver(site, session, reader)
    let opened = 0
    for (const size of SIZES) {
      const started = performance.now()
      await openReaders(site, others, size - opened)
      const openedMs = (performance.now() - started) / (size - opened)
      opened = size
      const delays = await deliver(site, session, reader)
      const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)]
      const megabytes = residentMegabytes(server.child)
      process.stdout.write(
        `${String(size).padStart(6)} streams: ${openedMs.toFixed(2)} ms to open one, a message p50 ${p50.toFixed(1)} ms, ` +
          `p99 ${p99.toFixed(1)} ms, ${megabytes.toFixed(0)} MB\n`,
      )
      const report = growing('open streams', size)
      figures.push(
        report('open', 'opening a stream', openedMs, 'ms'),
        report('p50', "an operator's message to one reader, p50", p50, 'ms'),
        report('p99', "an operator's message to one reader, p99", p99, 'ms'),
        report('memory', 'memory of the process', megabytes, 'MB'),
      )
    }
  } finally {
    await server.end('SIGKILL')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
  return figures
}
