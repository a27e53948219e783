import type { Figure } from '../report/figure.ts'
import { openWorkspace, post, startServer } from '../server.ts'
import { readDocuments } from '../../test/quality/documents.ts'
import { type Visited, growing, inParallel, measureTurns } from './turns.ts'

const SIZES = [1, 100, 1_000]
const DOCUMENTS = 3
const OPENED_AT_ONCE = 8

/** Measures chat turns on SQLite as the sites of an installation grow; the questions go to all of them. */
export async function benchTenants(): Promise<Figure[]> {
  const documents = readDocuments('fastify-en').slice(0, DOCUMENTS)
  const product = await startServer({
    QUOTA_SITES: '10000,10000,10000',
    QUOTA_PASSAGES: '1000000,1000000,1000000',
  })
  const figures: Figure[] = []
  const sites: Visited[] = []
  try {
    const owner = await openWorkspace(product.url)
    const open = async (number: number) => {
      const tenantId = `bench-${number}`
      await post(`${product.url}/api/v1/tenants`, owner, { tenant_id: tenantId, name: 'Bench' })
      for (const { title, content } of documents) {
        const body = { kind: 'markdown', title, content }
        await post(`${product.url}/api/v1/tenants/${tenantId}/knowledge`, owner, body)
      }
      const visitor = await post(`${product.url}/api/v1/auth/visitor`, '', { tenant_id: tenantId })
      sites.push({ tenantId, token: visitor.access_token ?? '' })
    }
    for (const size of SIZES) {
      const started = performance.now()
      const numbers = Array.from({ length: size - sites.length }, (_, at) => sites.length + at)
      await inParallel(numbers, OPENED_AT_ONCE, open)
      const openedMs = (performance.now() - started) / numbers.length
      const first = await askEach(product.url, sites)
      const { cpuMs, p50, megabytes } = await measureTurns(product, sites)
      process.stdout.write(
        `${String(size).padStart(6)} sites: ${openedMs.toFixed(1)} ms to open one, its first answer ${first.toFixed(1)} ms, ` +
          `a turn ${cpuMs.toFixed(2)} ms CPU, p50 ${p50.toFixed(0)} ms, ${megabytes.toFixed(0)} MB\n`,
      )
      const report = growing('sites of an installation', size)
      figures.push(
        report('open', `opening a site with ${DOCUMENTS} documents`, openedMs, 'ms'),
        report('first', 'the first answer of a site', first, 'ms'),
        report('cpu', 'processor time of a turn', cpuMs, 'ms'),
        report('p50', 'time to the answer, 8 in flight, p50', p50, 'ms'),
        report('memory', 'memory of the process', megabytes, 'MB'),
      )
    }
  } finally {
    await product.stop()
  }
  return figures
}

/** Asks every site once, so that its index is in memory; returns the mean time to the answer. */
async function askEach(url: string, sites: readonly Visited[]): Promise<number> {
  const started = performance.now()
  for (const { tenantId, token } of sites) {
    const body = { tenant_id: tenantId, message: 'What does the trustProxy option do?' }
    await post(`${url}/api/v1/chatbot/message`, token, body)
  }
  return (performance.now() - started) / sites.length
}
