import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import autocannon from 'autocannon'
import {
  answering,
  freePort,
  openWorkspace,
  post,
  processorMs,
  residentMegabytes,
  startServer,
} from './server.ts'

const GATEWAYS = join(import.meta.dirname, 'gateways')
const SECONDS = 6
const CONNECTIONS = 32
const ONE_BY_ONE = 400
const MANY_STREAMS = 100_000
const FEW_STREAMS = 10_000
const CHAT = { model: 'bench', messages: [{ role: 'user', content: 'Say twenty words, please.' }] }

/** Something that takes a request for the model. */
interface Target {
  name: string
  url: string
  headers: Record<string, string>
  body: (isStream: boolean) => string
  server: ChildProcess
  stop: () => Promise<void>
}

interface Figures {
  perSecond: number
  /** Runs that one second of one core's time pays for. */
  perCoreSecond: number
  cpuMs: number
  /** Of runs one after the other: the whole answer, or the first byte of a stream. */
  p50Ms: number
}

/** Prompt runs, metered, durable and announced, beside gateways that only pass them on. */
export async function benchExecute(): Promise<void> {
  installGateways()
  const upstreamPort = await freePort()
  const upstream = start(join(import.meta.dirname, 'model-upstream.ts'), [upstreamPort])
  const rows: string[] = []
  const begun: { json: Figures; stream: Figures }[] = []
  try {
    for (const open of [openPipe, openProduct, openLlms, openPortkey]) {
      const target = await open(upstreamPort)
      try {
        const json = await measure(target, false)
        const stream = await measure(target, true)
        begun.push({ json, stream })
        rows.push(line(target.name, 'JSON', json, begun[0]?.json))
        rows.push(line(target.name, 'stream', stream, begun[0]?.stream))
        if (open === openProduct) rows.push(await memoryLine(target))
      } finally {
        await target.stop()
      }
    }
  } finally {
    upstream.kill()
  }
  process.stdout.write(
    `\nPrompt runs, ${CONNECTIONS} at once for ${SECONDS} s, then ${ONE_BY_ONE} one by one\n\n`,
  )
  process.stdout.write(
    'target            form     runs/s  runs/core-s   CPU ms   p50 ms (first byte)   to the pipe\n',
  )
  process.stdout.write(`${rows.join('\n')}\n`)
}

function line(name: string, form: string, figures: Figures, floor: Figures | undefined): string {
  const { perSecond, perCoreSecond, cpuMs, p50Ms } = figures
  const added = floor ? p50Ms - floor.p50Ms : 0
  return [
    name.padEnd(17),
    form.padEnd(7),
    perSecond.toFixed(0).padStart(7),
    perCoreSecond.toFixed(0).padStart(12),
    cpuMs.toFixed(3).padStart(8),
    p50Ms.toFixed(2).padStart(12),
    `${added >= 0 ? '+' : ''}${added.toFixed(2)} ms`.padStart(20),
  ].join(' ')
}

function installGateways(): void {
  if (existsSync(join(GATEWAYS, 'node_modules'))) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: GATEWAYS,
    stdio: 'inherit',
  })
}

function start(file: string, args: readonly (string | number)[], cwd?: string): ChildProcess {
  return spawn(process.execPath, [file, ...args.map(String)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(cwd === undefined ? {} : { cwd }),
  })
}

async function openPipe(upstreamPort: number): Promise<Target> {
  const port = await freePort()
  const server = start(join(import.meta.dirname, 'bare-pipe.ts'), [port, upstreamPort])
  return ready(gateway('bare node:http', port, server, {}))
}

async function openLlms(upstreamPort: number): Promise<Target> {
  const port = await freePort()
  const server = start(join(GATEWAYS, 'llms.mjs'), [port, upstreamPort], GATEWAYS)
  const target = gateway('@musistudio/llms', port, server, {})
  const body = (stream: boolean) => JSON.stringify({ ...CHAT, model: 'bench,bench', stream })
  return ready({ ...target, body })
}

async function openPortkey(upstreamPort: number): Promise<Target> {
  const port = await freePort()
  const program = join(GATEWAYS, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  const server = start(program, ['--headless', `--port=${port}`], GATEWAYS)
  return ready(
    gateway('Portkey', port, server, {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
      authorization: 'Bearer x',
    }),
  )
}

function gateway(
  name: string,
  port: number,
  server: ChildProcess,
  headers: Record<string, string>,
): Target {
  return {
    name,
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers,
    body: (stream) => JSON.stringify({ ...CHAT, stream }),
    server,
    async stop() {
      server.kill()
    },
  }
}

/** Resolves once the gateway has passed a first request on. */
async function ready(target: Target): Promise<Target> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await askOnce(target, false).catch(() => undefined)
    if (answer?.status === 200) return target
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await target.stop()
  throw new Error(`${target.name} does not answer.`)
}

/** A key of a workspace with a rule and a subscription for other events: what most have. */
async function openProduct(upstreamPort: number): Promise<Target> {
  const { url, server, stop } = await startServer({
    MODEL_PROVIDER: 'openai-compatible',
    MODEL_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`,
    MODEL_NAME: 'bench',
    MODEL_API_KEY: 'x',
    LIMIT_EXECUTE: '1000000',
  })
  await answering(`${url}/health/ready`)
  const owner = await openWorkspace(url, 'klinik_pro')
  await post(`${url}/api/v1/prompts`, owner, {
    prompt_id: 'bench',
    title: 'Bench',
    kind: 'bot',
    template: '{{text}}',
    inputs_schema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    },
  })
  const { key } = await post(`${url}/api/v1/api-keys`, owner, { name: 'Bench' })
  return {
    name: 'Sohbet',
    url: `${url}/api/v1/prompts/execute`,
    headers: { authorization: `Bearer ${key}` },
    body: (stream) =>
      JSON.stringify({
        prompt_id: 'bench',
        inputs: { text: 'Say twenty words, please.' },
        stream,
      }),
    server,
    stop,
  }
}

async function load(
  target: Target,
  isStream: boolean,
  more: { duration?: number; amount?: number },
) {
  const result = await autocannon({
    url: target.url,
    connections: CONNECTIONS,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...target.headers },
    body: target.body(isStream),
    ...more,
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.name}: ${result.non2xx} were no 2xx, ${result.errors} broke off.`)
  }
  return result
}

async function measure(target: Target, isStream: boolean): Promise<Figures> {
  await load(target, isStream, { duration: 2 })
  const before = processorMs(target.server)
  const result = await load(target, isStream, { duration: SECONDS })
  const answers = result['2xx']
  const cpuMs = (processorMs(target.server) - before) / answers
  const times: number[] = []
  for (let count = 0; count < ONE_BY_ONE; count += 1) {
    times.push((await askOnce(target, isStream)).ms)
  }
  return {
    perSecond: answers / result.duration,
    perCoreSecond: 1_000 / cpuMs,
    cpuMs,
    p50Ms: times.toSorted((one, other) => one - other)[ONE_BY_ONE / 2] ?? 0,
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** One request: how long until its answer was whole, or until a stream's first byte. */
function askOnce(target: Target, isStream: boolean): Promise<{ ms: number; status: number }> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const asked = request(
      target.url,
      {
        agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...target.headers },
      },
      (answer) => {
        let ms = 0
        answer.once('data', () => {
          if (isStream) ms = performance.now() - begun
        })
        answer.resume()
        answer.on('end', () =>
          resolve({ ms: ms || performance.now() - begun, status: answer.statusCode ?? 0 }),
        )
      },
    )
    asked.on('error', reject)
    asked.end(target.body(isStream))
  })
}

/** What the product has in memory after many streams, beside what it had after few. */
async function memoryLine(target: Target): Promise<string> {
  await load(target, true, { amount: FEW_STREAMS })
  const few = residentMegabytes(target.server)
  await load(target, true, { amount: MANY_STREAMS - FEW_STREAMS })
  const many = residentMegabytes(target.server)
  const ratio = (many / few).toFixed(2)
  return `  memory after ${FEW_STREAMS} streams ${few.toFixed(0)} MB, after ${MANY_STREAMS} ${many.toFixed(0)} MB (${ratio})`
}
