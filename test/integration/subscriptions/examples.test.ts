import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  hexSignature,
  platformSignature,
  standardSignature,
} from '../../../server/delivery/signature.ts'
import { MINUTE_MS } from '../../../server/lib/durations.ts'
import type { CreatedRule, CreatedSubscription } from '../../helpers/answers.ts'
import { useDatabase } from '../../helpers/databases.ts'
import { type Received, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { freePort } from '../../services/free-port.ts'
import { BASE, FAST, type Subscriber, openSubscriber, requestOf } from './subscriber.ts'
import { eventually } from '../../helpers/eventually.ts'

const RULES = `${BASE}/rules-engine/rules`
const SECRET = 'şifre with thirty-two or more letters'
const OTHER = 'another secret of thirty-two letters or more'

/** How each language's example is started, from the file that holds it. */
const LANGUAGES = {
  js: { file: 'receiver.mjs', command: (file: string) => [process.execPath, file] },
  python: {
    file: 'receiver.py',
    command: (file: string) => [programOf('TEST_PYTHON'), file],
  },
  php: {
    file: 'receiver.php',
    command: (file: string, port: number) =>
      `${programOf('TEST_PHP')} -S 127.0.0.1:${port} ${file}`.split(' '),
  },
  go: { file: 'receiver.go', command: (file: string) => [built(file)] },
} as const

/** Without Go on the machine, or its path in `TEST_GO`, its example cannot be run. */
const HERE = Object.keys(LANGUAGES).filter((name) => name !== 'go' || process.env.TEST_GO)
const COMPILES_WITHIN = 60_000

/** The program that Go makes of a file: what it starts itself would outlive it. */
function built(file: string): string {
  const program = join(folder, 'receiver-go')
  const places = { GOCACHE: join(folder, 'go-cache'), GOTOOLCHAIN: 'local', GO111MODULE: 'off' }
  execFileSync(programOf('TEST_GO'), ['build', '-o', program, file], {
    env: { ...process.env, ...places },
  })
  return program
}

function programOf(setting: string): string {
  const program = process.env[setting]
  if (!program) throw new Error('These tests need PHP and Python: run them by "npm test".')
  return program
}

/** The code block of a language in the documentation that is a whole receiver. */
async function exampleIn(language: string): Promise<string> {
  const text = await readFile('docs/webhooks.md', 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  const receivers = blocks.filter(([, name, code]) => name === language && code?.includes('SECRET'))
  expect(receivers, `receivers in ${language}`).toHaveLength(1)
  return receivers[0]?.[2] ?? ''
}

async function listens(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

const product = useProduct(useDatabase('sqlite'), { settings: FAST })
let folder: string
let my: Subscriber
/** Real deliveries, to be posted again with something changed. */
let ofSubscription: Received
let ofRule: Received

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sohbet-examples-'))
  my = await openSubscriber(product)
  const receiver = await startReceiver()
  await my.call(BASE, { body: { url: receiver.url, events: ['chatbot.message'], secret: SECRET } })
  await my.call(RULES, {
    body: { name: 'r', event: 'session.started', url: receiver.url, secret: SECRET },
  })
  await my.say('Çağrı: İyi günler, açık mısınız?')
  const requests = await receiver.waitFor(3)
  ofSubscription = requestOf(
    requests.filter(({ headers }) => headers['x-svc-event'] === 'chatbot.message'),
  )
  ofRule = requestOf(requests.filter(({ headers }) => 'x-chat-signature' in headers))
  await receiver.close()
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

describe.each(HERE)('the example for receivers in %s', (name) => {
  let child: ChildProcess
  let url: string
  beforeAll(async () => {
    const language = Object.entries(LANGUAGES).find(([key]) => key === name)?.[1]
    const file = join(folder, language?.file ?? '')
    await writeFile(file, await exampleIn(name))
    const port = await freePort()
    const [program = '', ...args] = language?.command(file, port) ?? []
    const env = { ...process.env, SECRET, PORT: String(port) }
    child = spawn(program, args, { env, stdio: 'ignore' })
    url = `http://127.0.0.1:${port}`
    await eventually(() => listens(port))
  }, COMPILES_WITHIN)
  afterAll(async () => {
    const gone = once(child, 'exit')
    child.kill()
    await gone
  })

  async function post(path: string, { headers, body }: Received): Promise<number> {
    const { host: _host, connection: _connection, 'content-length': _length, ...sent } = headers
    return (await fetch(url + path, { method: 'POST', headers: sent, body })).status
  }

  const subscribe = (path: string, secret: string) =>
    my.call<CreatedSubscription>(BASE, {
      body: { url: url + path, events: ['chatbot.message'], secret },
    })

  async function tryRule(path: string, secret: string) {
    const rule = { name: 'r', event: 'lead.created', url: url + path, secret }
    const { body } = await my.call<CreatedRule>(RULES, { body: rule })
    return my.call(`${RULES}/${body.rule_id}/test`, { method: 'POST' })
  }

  test.each(['/subscription', '/standard'])(
    'takes the deliveries of a subscription at %s',
    async (path) => {
      const made = await subscribe(path, SECRET)
      expect(made.body).toMatchObject({ state: 'active', ping: { status: 204 } })
      await my.say('Günaydın')
      await expect
        .poll(() => my.sentBy(made.body.id))
        .toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }, { event: 'ping' }])
      await my.call(`${BASE}/${made.body.id}`, { method: 'DELETE' })
      const other = await subscribe(path, OTHER)
      expect(other.body).toMatchObject({ state: 'disabled', ping: { status: 401 } })
    },
  )

  test.each(['/rule', '/standard'])('takes the deliveries of a rule at %s', async (path) => {
    expect(await tryRule(path, SECRET)).toMatchObject({ body: { ok: true, status: 204 } })
    expect(await tryRule(path, OTHER)).toMatchObject({ body: { ok: false, status: 401 } })
  })

  test('refuses whatever was changed on the way, or came unsigned', async () => {
    const places = [
      ['/subscription', ofSubscription],
      ['/standard', ofSubscription],
      ['/rule', ofRule],
      ['/standard', ofRule],
    ] as const
    for (const [path, sent] of places) {
      expect(await post(path, sent), path).toBe(204)
      expect(await post(path, { ...sent, body: `${sent.body} ` }), path).toBe(401)
      expect(await post(path, { ...sent, body: '' }), path).toBe(401)
      const bare = { 'content-type': 'application/json' }
      expect(await post(path, { ...sent, headers: bare }), path).toBe(401)
    }
  })

  test('refuses what was signed more than five minutes ago, or ahead', async () => {
    const { body, headers } = ofSubscription
    const id = headers['webhook-id'] ?? ''
    for (const [minutes, status] of [
      [-4, 204],
      [-6, 401],
      [6, 401],
    ] as const) {
      const at = Math.floor((Date.now() + minutes * MINUTE_MS) / 1000)
      const signed = {
        'x-svc-timestamp': String(at),
        'x-svc-signature': platformSignature(SECRET, at, body),
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': `v1,old ${standardSignature(SECRET, id, at, body)}`,
      }
      const sent = { ...ofSubscription, headers: { ...headers, ...signed } }
      expect(await post('/subscription', sent)).toBe(status)
      expect(await post('/standard', sent)).toBe(status)
    }
    const undated = { ...headers, 'x-svc-timestamp': 'now', 'webhook-timestamp': 'now' }
    const signature = hexSignature(SECRET, `now.${body}`)
    const sent = { ...ofSubscription, headers: { ...undated, 'x-svc-signature': signature } }
    expect(await post('/subscription', sent)).toBe(401)
  })
})

describe('the public library of Standard Webhooks', () => {
  test('verifies both families untouched, with the secret that the API shows for it', async () => {
    const receiver = await startReceiver()
    const body = { url: receiver.url, events: ['chatbot.message'] }
    const made = await my.call<CreatedSubscription>(BASE, { body })
    const rule = await my.call<CreatedRule>(RULES, {
      body: { name: 'r', event: 'lead.created', url: receiver.url },
    })
    await my.call(`${RULES}/${rule.body.rule_id}/test`, { method: 'POST' })
    const [ping, sample] = await receiver.waitFor(2)
    const ofPlatform = new Webhook(made.body.standard_secret)
    expect(ofPlatform.verify(ping?.body ?? '', ping?.headers ?? {})).toMatchObject({ data: {} })
    const ofChat = new Webhook(rule.body.standard_secret ?? '')
    const data = { name: 'Ayşe Yılmaz' }
    expect(ofChat.verify(sample?.body ?? '', sample?.headers ?? {})).toMatchObject({ data })
    expect(() => ofChat.verify(ping?.body ?? '', ping?.headers ?? {})).toThrow(/signature/i)
    await receiver.close()
  })

  test('verifies with a secret that was brought in its form, beside the headers of our own', async () => {
    const receiver = await startReceiver()
    const secret = `whsec_${Buffer.from('the twenty-four bytes of a key').toString('base64')}`
    const body = { url: receiver.url, events: ['chatbot.message'], secret }
    const made = await my.call<CreatedSubscription>(BASE, { body })
    expect(made.body.standard_secret).toBe(secret)
    const [ping] = await receiver.waitFor(1)
    const { headers = {}, body: sent = '' } = ping ?? {}
    expect(new Webhook(secret).verify(sent, headers)).toMatchObject({ event: 'ping' })
    const signature = platformSignature(secret, Number(headers['x-svc-timestamp']), sent)
    expect(headers['x-svc-signature']).toBe(signature)
    await receiver.close()
  })
})
