import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Diagnosis } from '../../../server/doctor/schema.ts'
import { Passwords } from '../../../server/platform/auth/passwords.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import {
  type DatabasePlace,
  type TestDatabase,
  describeOnBothDatabases,
  describeOnPostgres,
  useDatabase,
} from '../../helpers/databases.ts'
import { sohbet, sohbetWith } from '../../helpers/process.ts'
import {
  OPERATOR_TOKEN,
  type StartedProduct,
  type TestProduct,
  type TestWorkspace,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { startEmbeddingsServer } from '../../helpers/servers/embeddings-server.ts'
import { startModelServer } from '../../helpers/servers/model-server.ts'
import { startSmtpServer } from '../../helpers/servers/smtp.ts'

const TEST_MS = 240_000

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

/** Starts the product in this process: the program that is tested has a process of its own. */
async function start(place: DatabasePlace): Promise<StartedProduct> {
  const product = await startTestProduct(place, { passwords: new Passwords() })
  stops.push(() => product.stop())
  return product
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'sohbet-backup-'))
  stops.push(() => rm(made, { recursive: true, force: true }))
  return made
}

/** Reads a workspace with a conversation, documents and a ledger, as its owner. */
async function read({ call }: Pick<TestProduct, 'call'>, { email, tenantId }: TestWorkspace) {
  const login = { email, password: 'a long password' }
  const { body } = await call<TokenAnswer>('/api/v1/auth/token', { body: login })
  const token = body.access_token
  const texts = []
  for (const path of [
    '/credits',
    '/credits/ledger?limit=100',
    '/inbox',
    `/tenants/${tenantId}`,
    `/tenants/${tenantId}/knowledge`,
    `/tenants/${tenantId}/identity-secret`,
  ]) {
    const answer = await call(`/api/v1${path}`, { token })
    texts.push([path, answer.status, answer.text])
  }
  return texts
}

async function fill(product: Pick<TestProduct, 'call'>): Promise<TestWorkspace> {
  const workspace = await addWorkspace(product)
  const content = 'Kargo iki günde gelir.'
  await product.call(`/api/v1/tenants/${workspace.tenantId}/knowledge`, {
    token: workspace.token,
    body: { kind: 'markdown', title: 'Kargo', content },
  })
  const { body } = await product.call<{ access_token: string }>('/api/v1/auth/visitor', {
    body: { tenant_id: workspace.tenantId },
  })
  for (let count = 0; count < 5; count += 1) {
    await product.call('/api/v1/chatbot/message', {
      token: body.access_token,
      body: { tenant_id: workspace.tenantId, message: 'Kargo ne zaman gelir?' },
    })
  }
  return workspace
}

const other: Record<TestDatabase['kind'], TestDatabase['kind']> = {
  sqlite: 'postgres',
  postgres: 'sqlite',
}

describeOnBothDatabases('npx sohbet', (database) => {
  const others = useDatabase(other[database.kind])

  test(
    'backs up a running product into a file that restores to the same, on either database',
    async () => {
      const place = await database.create()
      const product = await start(place)
      const workspace = await fill(product)
      const before = await read(product, workspace)
      expect(before.map(([, status]) => status)).toEqual(before.map(() => 200))

      const file = join(await folder(), 'today.sohbet')
      expect(await sohbet(place, 'backup', file)).toMatchObject({ code: 0 })
      expect((await stat(file)).mode % 0o1000).toBe(0o600)
      expect((await sohbet(place, 'backup', file)).output).toContain('exists already')
      const nowhere = join(place.dataDir, 'nowhere')
      expect(await sohbet(place, 'backup', join(nowhere, 'today.sohbet'))).toEqual({
        code: 1,
        output: `There is no folder ${nowhere}. Make it first.\n`,
      })
      expect(await sohbet(place, 'restore', file)).toMatchObject({
        code: 1,
        output: expect.stringMatching(/has (tables|a database) already/),
      })
      for (const empty of [await database.createEmpty(), await others.createEmpty()]) {
        const restored = await sohbet(empty, 'restore', file)
        expect(restored.output).toContain('row counts and ledger sums agree')
        expect(await read(await start(empty), workspace)).toEqual(before)
      }

      const bytes = await readFile(file)
      bytes[bytes.length - 40] = (bytes.at(-40) ?? 0) ^ 1
      const damaged = join(await folder(), 'damaged.sohbet')
      await writeFile(damaged, bytes)
      const empty = await database.createEmpty()
      expect(await sohbet(empty, 'restore', damaged)).toMatchObject({
        code: 1,
        output: expect.stringContaining('is damaged'),
      })
      expect((await sohbet(empty, 'migrate')).output).toContain('up to date')
    },
    TEST_MS,
  )

  test(
    'makes an owner, gives a new password, and says what it can do',
    async () => {
      const place = await database.create()
      const passwordOf = async () => {
        const { output } = await sohbet(place, 'owner', 'Ada@example.com')
        return /assword: (\S+)/.exec(output)?.[1] ?? output
      }
      const [first, second] = [await passwordOf(), await passwordOf()]
      const product = await start(place)
      const signIn = async (password: string) => {
        const body = { email: 'ada@example.com', password }
        return (await product.call('/api/v1/auth/token', { body })).status
      }
      expect([await signIn(first), await signIn(second)]).toEqual([401, 200])
      expect(await sohbet(place, 'dance')).toMatchObject({
        code: 1,
        output: expect.stringContaining('restore FILE'),
      })
    },
    TEST_MS,
  )
})

describeOnBothDatabases('npx sohbet doctor', (database) => {
  test(
    'examines a running installation and everything around it, and tells the exit code',
    async () => {
      const place = await database.create()
      await chmod(place.dataDir, 0o755)
      const product = await start(place)
      const smtp = await startSmtpServer()
      const model = await startModelServer({ text: ['OK'] })
      const embeddings = await startEmbeddingsServer()
      stops.push(
        () => smtp.close(),
        () => model.close(),
        () => embeddings.close(),
      )
      const settings = {
        PUBLIC_URL: product.url,
        REDIS_URL: String(process.env.TEST_REDIS_URL),
        SMTP_URL: smtp.url,
        MODEL_PROVIDER: 'openai-compatible',
        MODEL_BASE_URL: model.url,
        MODEL_NAME: 'a-model',
        EMBEDDING_BASE_URL: embeddings.url,
        EMBEDDING_MODEL: 'vectors',
        MAIL_FORM: 'news@example.com',
      }
      const isSqlite = database.kind === 'sqlite'
      const well = await sohbetWith(settings, place, 'doctor', '--json')
      expect(well.code).toBe(0)
      const { state, findings } = Diagnosis.parse(JSON.parse(well.output))
      expect(state).toBe('warning')
      expect(findings.map(({ name, state: found }) => `${name} ${found}`)).toEqual([
        'settings warning',
        'secrets ok',
        'versions ok',
        'database ok',
        'schema ok',
        'clock ok',
        ...(isSqlite ? [] : ['connections ok']),
        'redis ok',
        `data_dir ${isSqlite ? 'warning' : 'ok'}`,
        'disk ok',
        'mail ok',
        'model ok',
        'embeddings ok',
        'public_url warning',
        'webhook_targets ok',
      ])
      expect(smtp.logins).toEqual(['sender'])
      expect(smtp.received).toEqual([])

      await Promise.all([smtp.close(), model.close()])
      embeddings.act = 'refuse'
      const ill = await sohbetWith(
        { ...settings, REDIS_URL: 'redis://127.0.0.1:1' },
        place,
        'doctor',
      )
      expect(ill.code).toBe(1)
      for (const name of ['redis', 'mail', 'model', 'embeddings']) {
        expect(ill.output).toMatch(new RegExp(`^error +${name} .+\n +→ .+`, 'm'))
      }
      expect(ill.output).toContain('Was MAIL_FROM meant?')
      const wrong = await sohbetWith({ LIMIT_AUHT: '5', PORT: 'x' }, place, 'doctor')
      expect(wrong.code).toBe(1)
      expect(wrong.output).toMatch(/LIMIT_AUHT[\s\S]+PORT/)

      const token = OPERATOR_TOKEN
      const { body } = await product.call('/api/v1/operator/doctor', { token })
      expect(Diagnosis.parse(body).findings).toContainEqual(
        expect.objectContaining({ name: 'mail', state: 'warning', remedy: 'Set SMTP_URL.' }),
      )
      expect((await product.call('/health/ready')).status).toBe(200)
    },
    TEST_MS,
  )
})

describeOnPostgres('npx sohbet import-sqlite', (database) => {
  const embedded = useDatabase('sqlite')

  test(
    'moves a folder that no process uses into the empty database',
    async () => {
      const from = await embedded.create()
      const running = await start(from)
      const workspace = await fill(running)
      const before = await read(running, workspace)
      const to = await database.createEmpty()
      const busy = await sohbet(to, 'import-sqlite', from.dataDir)
      expect(busy).toMatchObject({ code: 1, output: expect.stringContaining('Stop it first') })
      await running.stop()
      // Left from before SECRET_KEY was set.
      await writeFile(join(from.dataDir, 'secret.key'), 'a-generated-key-of-former-days')
      const wrong = { SECRET_KEY: 'another-secret-key-for-tests' }
      expect(await sohbetWith(wrong, to, 'import-sqlite', from.dataDir)).toMatchObject({
        code: 1,
        output: expect.stringContaining('SECRET_KEY is not the key'),
      })
      const moved = await sohbet(to, 'import-sqlite', from.dataDir)
      expect(moved.output).toContain('row counts and ledger sums agree')
      expect(await read(await start(to), workspace)).toEqual(before)
    },
    TEST_MS,
  )
})
