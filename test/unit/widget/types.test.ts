import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)

/** A page's script; the marked lines must not compile. */
const PAGE = `
window.Sohbet ??= []
window.Sohbet = window.Sohbet || []
window.Sohbet.push(['open'])
window.Sohbet.push(['on', 'unread', (detail) => console.log(detail.count.toFixed())])
window.Sohbet.push(['identify', { name: 'Ada', token: 'x' }], ['send', 'Hello'])
window.Sohbet.push(['on', 'ready', () => Sohbet.open()])
Sohbet.on('message:sent', ({ text, message_id }) => console.log(text.length + message_id))
Sohbet.of['other']?.hide()
if ('open' in window.Sohbet) window.Sohbet.open()
// @ts-expect-error
Sohbet.opne()
// @ts-expect-error
Sohbet.on('opend', () => {})
// @ts-expect-error
Sohbet.on('error', (detail) => detail.text)
// @ts-expect-error
window.Sohbet.push(['send'])
// @ts-expect-error
window.Sohbet.push(['identify', { nmae: 'Ada' }])
// @ts-expect-error
window.Sohbet.push(['on', 'unread', (detail) => detail.text])
`

/** Fits only where both sides are the same. */
const SAME = `
import type { Events, Identity } from '${resolve('widget/host/public.ts')}'

type Same<One, Other> = [One, Other] extends [Other, One] ? true : never
export const areSame: [Same<Events, Sohbet.Events>, Same<Identity, Sohbet.Identity>] = [true, true]
`

const SETTINGS = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    module: 'ESNext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  },
  include: ['*.ts'],
}

describe('widget.d.ts', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sohbet-types-'))
    await copyFile('widget/widget.d.ts', join(folder, 'widget.d.ts'))
    await writeFile(join(folder, 'page.ts'), PAGE)
    await writeFile(join(folder, 'same.ts'), SAME)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('types the script of a page, and names every event as it is', async () => {
    const compiler = resolve('node_modules/typescript/bin/tsc')
    const found = await run(process.execPath, [compiler, '-p', folder]).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    )
    expect(found).toBe('')
  })
})
