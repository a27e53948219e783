import type { Figure } from '../report/figure.ts'
import { openWorkspace, post, startServer } from '../server.ts'
import { readDocuments } from '../../test/quality/documents.ts'
import { growing, inParallel, measureTurns } from './turns.ts'

/** The last is the most that a site may have. */
const SIZES = [10, 100, 1_000, 3_000]
const ADDED_AT_ONCE = 8
const TENANT = 'bench'
const QUESTION = 'What does the trustProxy option do?'
/** A document of one passage, such as an answer of a list of questions. */
const LENGTH = 600

/** Measures chat turns of one site on SQLite as its documents grow. */
export async function benchDocuments(): Promise<Figure[]> {
  const texts = [...readDocuments('react-tr'), ...readDocuments('fastify-en')].flatMap(
    ({ title, content }) =>
      Array.from({ length: Math.floor(content.length / LENGTH) }, (_, at) => ({
        title,
        content: content.slice(at * LENGTH, (at + 1) * LENGTH),
      })),
  )
  const product = await startServer({})
  const figures: Figure[] = []
  try {
    const owner = await openWorkspace(product.url)
    await post(`${product.url}/api/v1/tenants`, owner, { tenant_id: TENANT, name: 'Bench' })
    const visitor = await post(`${product.url}/api/v1/auth/visitor`, '', { tenant_id: TENANT })
    const token = visitor.access_token ?? ''
    const add = async (number: number) => {
      const text = texts[number % texts.length]
      await post(`${product.url}/api/v1/tenants/${TENANT}/knowledge`, owner, {
        kind: 'markdown',
        title: `${text?.title} ${number}`,
        // A word of its own: a document of known words alone would be cheaper.
        content: `${text?.content}\n\nEntry number${number}`,
      })
    }
    let added = 0
    for (const size of SIZES) {
      const started = performance.now()
      const numbers = Array.from({ length: size - added }, (_, at) => added + at)
      await inParallel(numbers, ADDED_AT_ONCE, add)
      const addedMs = (performance.now() - started) / numbers.length
      added = size
      const asked = performance.now()
      const body = { tenant_id: TENANT, message: QUESTION }
      await post(`${product.url}/api/v1/chatbot/message`, token, body)
      const firstMs = performance.now() - asked
      const { cpuMs, p50, megabytes } = await measureTurns(product, [{ tenantId: TENANT, token }])
      process.stdout.write(
        `${String(size).padStart(6)} documents: ${addedMs.toFixed(1)} ms to add one, first answer ${firstMs.toFixed(0)} ms, ` +
          `a turn ${cpuMs.toFixed(2)} ms CPU, p50 ${p50.toFixed(0)} ms, ${megabytes.toFixed(0)} MB\n`,
      )
      const report = growing('documents of a site', size)
      figures.push(
        report('add', 'adding a document', addedMs, 'ms'),
        report('first', 'the first answer after it', firstMs, 'ms'),
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
