import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import {
  type TestProduct,
  type TestWorkspace,
  openTestWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'

const run = promisify(execFile)
const MODULES = resolve('node_modules')

/** What an integrator writes: no type of the product is named, all of them are known. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const [baseUrl = '', token = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
const { data, error } = await client.POST('/api/v1/prompts/execute', {
  params: { header: { 'X-Request-Id': 'typed-1' } },
  body: { prompt_id: 'appointment-reminder', inputs: { name: 'Ada', when: 'Monday', clinic: 'X' } },
})
if (error) throw new Error(error.code)
const used: number = data.credits_used
const me = await client.GET('/api/v1/auth/me')
const remaining: number | undefined = me.data?.credits.remaining
console.log(JSON.stringify({ content: data.content, used, remaining }))
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

describeOnBothDatabases('a client made from the description', (database) => {
  let product: TestProduct
  let workspace: TestWorkspace
  let folder: string

  beforeAll(async () => {
    product = await startTestProduct(await database.create())
    workspace = await openTestWorkspace(product, { plan: 'starter' })
    folder = await mkdtemp(join(tmpdir(), 'sohbet-client-'))
    await symlink(MODULES, join(folder, 'node_modules'))
    const description = await product.call('/api/v1/openapi.json')
    await writeFile(join(folder, 'openapi.json'), description.text)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS))
    await run(process.execPath, [
      '--import',
      resolve('test/helpers/older-typescript.ts'),
      join(MODULES, 'openapi-typescript/bin/cli.js'),
      join(folder, 'openapi.json'),
      '--output',
      join(folder, 'api.d.ts'),
    ])
  })
  afterAll(async () => {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const check = () =>
    run(process.execPath, [join(MODULES, 'typescript/bin/tsc'), '--project', folder]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )

  test('knows every field, and runs a prompt', async () => {
    const program = join(folder, 'program.ts')
    await writeFile(program, PROGRAM)
    expect(await check()).toBe('')
    const { stdout } = await run(process.execPath, [program, product.url, workspace.token])
    expect(JSON.parse(stdout)).toMatchObject({ used: 1, remaining: 499 })
    expect(JSON.parse(stdout).content).toContain('Ada')
  })

  test('refuses a call that lacks a field before it is made', async () => {
    const program = join(folder, 'wrong.ts')
    await writeFile(program, WRONG)
    expect(await check()).toContain("'inputs' is missing")
    await rm(program)
  })
})
