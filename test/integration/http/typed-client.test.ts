import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const run = promisify(execFile)
const MODULES = resolve('node_modules')

/** An integrator's program: it names no type of the product, and all of them are inferred. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'

type Json = 'application/json' | 'application/problem+json'
const [baseUrl = '', token = ''] = process.argv.slice(2)
const client = createClient<paths, Json>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
const { data, error } = await client.POST('/api/v1/prompts/execute', {
  params: { header: { 'X-Request-Id': 'typed-1' } },
  body: { prompt_id: 'appointment-reminder', inputs: { name: 'Ada', when: 'Monday', clinic: 'X' } },
})
if (error) throw new Error(error.code)
const used: number = data.credits_used
const me = await client.GET('/api/v1/auth/me')
const remaining: number | undefined = me.data?.credits.remaining
const role: 'owner' | 'admin' | 'operator' | undefined = me.data?.user.role
const mayRemember: boolean | undefined = me.data?.features.includes('memory')
const isStarter = me.data?.user.plan === 'starter'
const streamed = await createClient<paths, 'text/event-stream'>({
  baseUrl,
  headers: { authorization: \`Bearer \${token}\` },
}).POST('/api/v1/prompts/execute', {
  body: { prompt_id: 'appointment-reminder', inputs: { name: 'Ada', when: 'Monday', clinic: 'X' }, stream: true },
  parseAs: 'stream',
})
const events = (await new Response(streamed.data).text()).trim().split('\\n\\n')
type RunEvent = components['schemas']['RunEvent']
const last: RunEvent = JSON.parse(events.at(-1)?.slice('data: '.length) ?? '')
const isDone = 'done' in last && last.done
console.log(JSON.stringify({ content: data.content, used, remaining, role, mayRemember, isStarter, isDone }))
`

const WRONG = `
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const client = createClient<paths>({ baseUrl: 'http://localhost' })
await client.POST('/api/v1/prompts/execute', { body: { prompt_id: 'summary' } })
`

const SETTINGS = {
  compilerOptions: {
    target: 'ES2024',
    module: 'NodeNext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  },
  include: ['*.ts'],
}

/** A folder with the client's types, and with what the compiler says of both programs. */
interface Client {
  folder: string
  description: string
  complaints: string
}

let client: Client | undefined

/** Makes the client as an integrator would, from the first description that is shown. */
async function clientFrom(description: string): Promise<Client> {
  if (client) return client
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-client-'))
  await symlink(MODULES, join(folder, 'node_modules'))
  await writeFile(join(folder, 'openapi.json'), description)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS))
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  await writeFile(join(folder, 'wrong.ts'), WRONG)
  await run(process.execPath, [
    '--import',
    resolve('test/helpers/older-typescript.ts'),
    join(MODULES, 'openapi-typescript/bin/cli.js'),
    join(folder, 'openapi.json'),
    '--output',
    join(folder, 'api.d.ts'),
  ])
  const compiler = [join(MODULES, 'typescript/bin/tsc'), '--pretty', 'false', '--project', folder]
  const complaints = await run(process.execPath, compiler).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
  client = { folder, description, complaints }
  return client
}

afterAll(async () => {
  if (client) await rm(client.folder, { recursive: true, force: true })
})

describeOnDatabase('a client made from the description', (database) => {
  let workspace: TestWorkspace
  let description: string
  let made: Client

  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product, { plan: 'starter' })
    description = (await product.call('/api/v1/openapi.json')).text
    made = await clientFrom(description)
  })

  test('is the same whatever the database', () => {
    expect(description).toBe(made.description)
  })

  test('knows every field, and runs a prompt', async () => {
    expect(made.complaints).not.toContain('program.ts')
    const program = join(made.folder, 'program.ts')
    const { stdout } = await run(process.execPath, [program, product.url, workspace.token])
    expect(JSON.parse(stdout)).toMatchObject({
      used: 1,
      remaining: 499,
      role: 'owner',
      mayRemember: false,
      isStarter: true,
      isDone: true,
    })
    expect(JSON.parse(stdout).content).toContain('Ada')
  })

  test('refuses a call that lacks a field before it is made', () => {
    expect(made.complaints).toContain('wrong.ts')
    expect(made.complaints).toContain("'inputs' is missing")
  })
})
