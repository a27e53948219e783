import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Figure } from '../report/figure.ts'
import { openWorkspace, post, processorMs, startServer } from '../server.ts'
import { readDocuments } from '../../test/quality/documents.ts'
import { growing } from './turns.ts'

const SIZES = [100, 1_000, 5_000]
const PASSAGES_PER_DOCUMENT = 100
/** Of a passage: some 95 words. */
const LENGTH = 600
const RESTARTS = 3
const TENANT = 'bench'
const QUESTION = { tenant_id: TENANT, message: 'What does the trustProxy option do?' }

interface Restart {
  /** From readiness to the first answer. */
  answerMs: number
  cpuMs: number
}

/** Measures the first answer after a restart on SQLite, with the site's index loaded and with it built. */
export async function benchRestarts(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of SIZES) {
    const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-bench-restarts-'))
    try {
      const token = await fillSite(dataDir, size)
      const bytes = changeSnapshots(dataDir, 'select sum(bytes) from index_snapshots')
      const loaded: Restart[] = []
      const built: Restart[] = []
      for (let count = 0; count < RESTARTS; count += 1) {
        loaded.push(await restart(dataDir, token))
        changeSnapshots(dataDir, 'delete from index_snapshots returning 0')
        built.push(await restart(dataDir, token))
      }
      const [fast, slow] = [median(loaded), median(built)]
      process.stdout.write(
        `${String(size).padStart(6)} passages: first answer ${fast.answerMs.toFixed(0)} ms with a loaded index ` +
          `(${fast.cpuMs.toFixed(0)} ms CPU), ${slow.answerMs.toFixed(0)} ms with one that is built ` +
          `(${slow.cpuMs.toFixed(0)} ms CPU), snapshot ${(bytes / 1_000).toFixed(0)} KB\n`,
      )
      const report = growing('passages of a site at a restart', size)
      figures.push(
        report('loaded', 'the first answer, the index loaded', fast.answerMs, 'ms'),
        report('built', 'the first answer, the index built', slow.answerMs, 'ms'),
        report('loaded.cpu', 'processor time until then, loaded', fast.cpuMs, 'ms'),
        report('built.cpu', 'processor time until then, built', slow.cpuMs, 'ms'),
        report('bytes', 'size of the snapshot', bytes / 1_000, 'KB'),
      )
    } finally {
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    }
  }
  return figures
}

/** Fills a site, asks it once, and stops the process, which stores the index; returns a visitor's token. */
async function fillSite(dataDir: string, size: number): Promise<string> {
  const product = await startServer({ DATA_DIR: dataDir })
  const owner = await openWorkspace(product.url)
  await post(`${product.url}/api/v1/tenants`, owner, { tenant_id: TENANT, name: 'Bench' })
  const passages = readPassages(size)
  for (let from = 0; from < size; from += PASSAGES_PER_DOCUMENT) {
    await post(`${product.url}/api/v1/tenants/${TENANT}/knowledge`, owner, {
      kind: 'markdown',
      title: `Part ${from}`,
      content: passages.slice(from, from + PASSAGES_PER_DOCUMENT).join('\n\n'),
    })
  }
  const { access_token: token = '' } = await post(`${product.url}/api/v1/auth/visitor`, '', {
    tenant_id: TENANT,
  })
  await post(`${product.url}/api/v1/chatbot/message`, token, QUESTION)
  await end(product)
  return token
}

/** Returns sections of real documents, each with words of its own. */
function readPassages(size: number): string[] {
  const texts = [...readDocuments('react-tr'), ...readDocuments('fastify-en')].flatMap(
    ({ title, content }) => {
      const plain = content.replaceAll(/[#`~|]/g, '')
      return Array.from({ length: Math.floor(plain.length / LENGTH) }, (_, at) => ({
        title,
        text: plain.slice(at * LENGTH, (at + 1) * LENGTH),
      }))
    },
  )
  return Array.from({ length: size }, (_, number) => {
    const { title = '', text = '' } = texts[number % texts.length] ?? {}
    return `## ${title} ${number}\n\n${text}\n\nEntry number${number}`
  })
}

async function restart(dataDir: string, token: string): Promise<Restart> {
  const product = await startServer({ DATA_DIR: dataDir })
  const started = performance.now()
  const cpu = processorMs(product.server)
  await post(`${product.url}/api/v1/chatbot/message`, token, QUESTION)
  const answerMs = performance.now() - started
  const cpuMs = processorMs(product.server) - cpu
  await end(product)
  return { answerMs, cpuMs }
}

async function end({ server, stop }: Awaited<ReturnType<typeof startServer>>): Promise<void> {
  const ended = once(server, 'exit')
  server.kill()
  await ended
  await stop()
}

/** Runs a statement while no process has the database open; returns the number of its first row. */
function changeSnapshots(dataDir: string, statement: string): number {
  const database = new Sqlite(join(dataDir, 'sohbet.db'))
  try {
    return Number(database.prepare(statement).pluck().all()[0])
  } finally {
    database.close()
  }
}

function median(restarts: readonly Restart[]): Restart {
  const sorted = restarts.toSorted((a, b) => a.answerMs - b.answerMs)
  return sorted[Math.floor(sorted.length / 2)] ?? { answerMs: NaN, cpuMs: NaN }
}
