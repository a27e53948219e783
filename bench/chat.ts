import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { findPrograms } from '../test/services/find.ts'
import { freePort } from '../test/services/free-port.ts'
import { thisMachine } from '../test/services/machine.ts'
import { startPostgres } from '../test/services/postgres.ts'
import { type Figure, stored } from './report/figure.ts'
import {
  answering,
  openWorkspace,
  post,
  processorMs,
  residentMegabytes,
  startServer,
} from './server.ts'

const ROOT = join(import.meta.dirname, '..')
const KNOWLEDGE = join(ROOT, 'test/data/knowledge')
const DOCUMENTS = 100
const IN_FLIGHT = [1, 8, 64]
const SECONDS = 8
/** Targets: the share of a bare Fastify on SQLite, and a turn's processor time on Postgres. */
const MIN_SHARE = 0.05
const MAX_POSTGRES_CPU_MS = 1.5
export const QUESTIONS = [
  'Liste elemanlarına neden key vermem gerekiyor?',
  'state icindeki diziyi nasil guncellerim',
  "Kendi Hook'umu nasıl yazarım?",
  'How can I run code before the handler of a route?',
  'What does the trustProxy option do?',
  'how do I validate the body agianst a schema',
  'What is the capital of Peru?',
]

interface Figures {
  perSecond: number
  p50: number
  p99: number
  /** Milliseconds of the server's processor time per answer. */
  cpu: number
  megabytes: number
}

/** Chat turns per second, durable and metered, beside a bare route that echoes JSON. */
export async function benchChat(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-bench-postgres-'))
  const program = (await findPrograms(thisMachine, ['postgres'])).get('postgres')
  const postgres = await startPostgres(program ?? 'postgres', folder)
  const rows: string[] = []
  const reported: Figure[] = []
  try {
    const floor = await measureFloor()
    rows.push(
      ...floor.map((figures, index) => line('bare Fastify', IN_FLIGHT[index], figures, figures)),
    )
    for (const [name, databaseUrl] of [
      ['SQLite', undefined],
      ['Postgres', await newDatabase(postgres.url)],
    ] as const) {
      const measured = await measureProduct(databaseUrl)
      rows.push(
        ...measured.map((figures, index) => line(name, IN_FLIGHT[index], figures, floor[index])),
      )
      reported.push(
        ...measured.flatMap((figures, index) =>
          reportOf(name, IN_FLIGHT[index] ?? 0, figures, floor[index]),
        ),
      )
    }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  process.stdout.write(`\nChat turns, ${DOCUMENTS} documents, ${SECONDS} s each\n\n`)
  process.stdout.write(
    'server         in flight   turns/s   to bare    p50 ms    p99 ms   CPU ms    RSS MB\n',
  )
  process.stdout.write(`${rows.join('\n')}\n`)
  return reported
}

function reportOf(
  name: string,
  inFlight: number,
  figures: Figures,
  floor: Figures | undefined,
): Figure[] {
  const id = (figure: string) => `${name.toLowerCase()}.${inFlight}.${figure}`
  const label = (figure: string) => `${name}, ${inFlight} in flight: ${figure}`
  const beside = (value: number | undefined) =>
    value === undefined ? {} : { floor: stored(value) ?? 0 }
  const isMostBusy = inFlight === IN_FLIGHT.at(-1)
  return [
    {
      id: id('rate'),
      label: label('turns'),
      value: stored(figures.perSecond),
      unit: '/s',
      better: 'higher',
      ...beside(floor?.perSecond),
      ...(isMostBusy && name === 'SQLite'
        ? { target: { of: 'share of the floor', bound: MIN_SHARE } }
        : {}),
    },
    {
      id: id('cpu'),
      label: label('processor time of a turn'),
      value: stored(figures.cpu),
      unit: 'ms',
      better: 'lower',
      ...beside(floor?.cpu),
      ...(isMostBusy && name === 'Postgres'
        ? { target: { of: 'value', bound: MAX_POSTGRES_CPU_MS } }
        : {}),
    },
    {
      id: id('p99'),
      label: label('time to the answer, p99'),
      value: stored(figures.p99),
      unit: 'ms',
      better: 'lower',
    },
  ]
}

function line(name: string, inFlight = 0, figures: Figures, floor: Figures | undefined): string {
  const ratio = floor ? figures.perSecond / floor.perSecond : 1
  return [
    name.padEnd(14),
    String(inFlight).padStart(9),
    figures.perSecond.toFixed(0).padStart(9),
    ratio.toFixed(3).padStart(9),
    figures.p50.toFixed(1).padStart(9),
    figures.p99.toFixed(1).padStart(9),
    figures.cpu.toFixed(3).padStart(8),
    figures.megabytes.toFixed(0).padStart(9),
  ].join(' ')
}

/** Creates a database on a server; returns its URL. */
export async function newDatabase(adminUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query('create database bench')
  await client.end()
  const url = new URL(adminUrl)
  url.pathname = '/bench'
  return url.href
}

async function measureFloor(): Promise<Figures[]> {
  const port = await freePort()
  const server = spawn(process.execPath, [
    join(import.meta.dirname, 'bare-fastify.ts'),
    String(port),
  ])
  try {
    await answering(`http://127.0.0.1:${port}/health/ready`)
    return await measure(`http://127.0.0.1:${port}/echo`, server, {})
  } finally {
    server.kill()
  }
}

async function measureProduct(databaseUrl: string | undefined): Promise<Figures[]> {
  const { url, server, stop } = await startServer(
    databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl },
  )
  try {
    const token = await prepareTenant(url)
    return await measure(`${url}/api/v1/chatbot/message`, server, {
      authorization: `Bearer ${token}`,
    })
  } finally {
    await stop()
  }
}

/** Creates a workspace with ample credits and a tenant with the documents; returns a visitor's token. */
export async function prepareTenant(url: string, tenantId = 'bench'): Promise<string> {
  const owner = await openWorkspace(url, { name: tenantId })
  await post(`${url}/api/v1/tenants`, owner, { tenant_id: tenantId, name: 'Bench' })
  const files = ['react-tr', 'fastify-en'].flatMap((folder) =>
    readdirSync(join(KNOWLEDGE, folder)).map((file) => join(KNOWLEDGE, folder, file)),
  )
  const started = performance.now()
  for (let index = 0; index < DOCUMENTS; index += 1) {
    const file = files[index % files.length] ?? ''
    await post(`${url}/api/v1/tenants/${tenantId}/knowledge`, owner, {
      kind: 'markdown',
      title: `${file.split('/').at(-1)} ${index}`,
      content: readFileSync(file, 'utf8'),
    })
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  process.stdout.write(`${DOCUMENTS} documents taken in ${seconds} s\n`)
  const visitor = await post(`${url}/api/v1/auth/visitor`, '', { tenant_id: tenantId })
  return visitor.access_token ?? ''
}

async function measure(
  url: string,
  server: ChildProcess,
  headers: Record<string, string>,
): Promise<Figures[]> {
  const figures: Figures[] = []
  const run = (connections: number, duration: number) =>
    autocannon({
      url,
      connections,
      duration,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      requests: QUESTIONS.map((message) => ({
        body: JSON.stringify({ tenant_id: 'bench', message }),
      })),
    })
  await run(8, 3)
  for (const connections of IN_FLIGHT) {
    const before = processorMs(server)
    const result = await run(connections, SECONDS)
    const answers = result['2xx']
    if (result.non2xx > 0 || result.errors > 0) {
      throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} broke off.`)
    }
    figures.push({
      perSecond: answers / result.duration,
      p50: result.latency.p50,
      p99: result.latency.p99,
      cpu: (processorMs(server) - before) / answers,
      megabytes: residentMegabytes(server),
    })
  }
  return figures
}
