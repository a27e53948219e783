import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { GLOBALS, PROGRAM, SETTINGS, WRONG_PROGRAM } from './client-program.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type ClientProject, installClient } from './packed-client.ts'
import { type TestWorkspace, addDocument, addWorkspace } from '../../helpers/product.ts'
import { useProduct, useStarted } from '../../helpers/use-product.ts'

const run = promisify(execFile)
const COMPILER = resolve('node_modules/typescript/bin/tsc')

describeOnDatabase('the client as a package', (database) => {
  const product = useProduct(database)
  const installed = useStarted(async () => {
    const project = await installClient()
    return { project, stop: () => project.remove() }
  })
  let own: TestWorkspace
  let project: ClientProject

  beforeAll(async () => {
    ;({ project } = installed())
    own = await addWorkspace(product)
    await addDocument(product, own, { title: 'Hours', content: 'We open at nine.' })
  })

  test('is typed without anything else, and runs elsewhere', async () => {
    const { folder } = project
    await writeFile(join(folder, 'program.ts'), PROGRAM)
    await writeFile(join(folder, 'globals.d.ts'), GLOBALS)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS))
    await run(process.execPath, [COMPILER, '--project', folder])
    const program = join(folder, 'out/program.js')
    const node = process.env.TEST_NODE_20 ?? process.execPath
    const { stdout } = await run(node, [program, product.url, own.token, own.tenantId])
    expect(JSON.parse(stdout)).toMatchObject({
      content: expect.stringContaining('nine'),
      streamed: expect.stringContaining('nine'),
      isDone: true,
      used: 1,
      leads: 0,
      code: 'not_found',
      forged: 'invalid_signature',
    })
  })

  test('refuses a field that is none', async () => {
    const { folder } = project
    await writeFile(join(folder, 'program.ts'), WRONG_PROGRAM)
    await expect(run(process.execPath, [COMPILER, '--project', folder])).rejects.toMatchObject({
      stdout: expect.stringContaining("'tenant' does not exist"),
    })
  })
})
