import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { freePort } from '../test/services/free-port.ts'
import { answering, openWorkspace, post, startServer } from './server.ts'

const GATEWAYS = join(import.meta.dirname, 'gateways')
const CHAT = { model: 'bench', messages: [{ role: 'user', content: 'Say twenty words, please.' }] }

/** A gateway that forwards a request to the model. */
export interface Target {
  name: string
  url: string
  headers: Record<string, string>
  body: (isStream: boolean) => string
  server: ChildProcess
  stop: () => Promise<void>
}

/** Starts the gateways that are measured beside the product. */
export function installGateways(): void {
  if (existsSync(join(GATEWAYS, 'node_modules'))) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: GATEWAYS,
    stdio: 'inherit',
  })
}

/** Runs a file in its own process. */
export function start(
  file: string,
  args: readonly (string | number)[],
  cwd?: string,
): ChildProcess {
  return spawn(process.execPath, [file, ...args.map(String)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(cwd === undefined ? {} : { cwd }),
  })
}

/** The upper bound: a bare pipe. */
export async function openPipe(upstreamPort: number): Promise<Target> {
  const port = await freePort()
  const server = start(join(import.meta.dirname, 'bare-pipe.ts'), [port, upstreamPort])
  return ready(gateway('bare node:http', port, server, {}))
}

/** The upper bound of a gateway of this framework: Fastify and undici with nothing between them. */
export async function openBareGateway(upstreamPort: number): Promise<Target> {
  const port = await freePort()
  const server = start(join(import.meta.dirname, 'bare-gateway.ts'), [port, upstreamPort])
  return ready(gateway('Fastify and undici', port, server, {}))
}

/** A gateway of few layers. */
export async function openLlms(upstreamPort: number): Promise<Target> {
  const port = await freePort()
  const server = start(join(GATEWAYS, 'llms.mjs'), [port, upstreamPort], GATEWAYS)
  const target = gateway('@musistudio/llms', port, server, {})
  const body = (stream: boolean) => JSON.stringify({ ...CHAT, model: 'bench,bench', stream })
  return ready({ ...target, body })
}

/** The best known gateway. */
export async function openPortkey(upstreamPort: number): Promise<Target> {
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

/** Resolves once the gateway has forwarded a first request. */
async function ready(target: Target): Promise<Target> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await askOnce(target, false).catch(() => undefined)
    if (answer?.status === 200) return target
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await target.stop()
  throw new Error(`${target.name} does not answer.`)
}

/** Returns a key of a typical workspace: a rule and a subscription, both for other events. */
export async function openProduct(upstreamPort: number, root?: string): Promise<Target> {
  const settings = {
    MODEL_PROVIDER: 'openai-compatible',
    MODEL_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`,
    MODEL_NAME: 'bench',
    MODEL_API_KEY: 'x',
    LIMIT_EXECUTE: '1000000',
  }
  const { url, server, stop } = await startServer(settings, root)
  await answering(`${url}/health/ready`)
  const owner = await openWorkspace(url, { plan: 'klinik_pro' })
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

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Sends a request; returns the time to the whole answer, or to a stream's first byte. */
export function askOnce(
  target: Target,
  isStream: boolean,
): Promise<{ ms: number; status: number }> {
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
