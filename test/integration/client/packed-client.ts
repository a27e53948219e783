import { execFile } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SOURCES = ['client/**/*.ts', 'client/package.json', 'server/**/schema.ts']

/** A throw-away project in which the packed client is installed. */
export interface ClientProject {
  folder: string
  remove(): Promise<void>
}

/** Packs the client as for a registry, in a folder of its own, and returns the archive's path. */
export async function packClient(): Promise<string> {
  if (!isBuilt()) await run(process.execPath, ['client/build.ts'])
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-archive-'))
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: resolve('client') })
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  return join(folder, archive)
}

/** Installs the packed client in a project of its own, without the registry. */
export async function installClient(): Promise<ClientProject> {
  const archive = await packClient()
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-packed-'))
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--silent']
  await run('npm', ['install', ...quiet, archive], { cwd: folder })
  await rm(dirname(archive), { recursive: true })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

function isBuilt(): boolean {
  const changed = (pattern: string) =>
    globSync(pattern, { exclude: (name) => name === 'dist' }).map((file) => statSync(file).mtimeMs)
  const built = changed('client/dist/*')
  return built.length > 0 && Math.min(...built) > Math.max(...SOURCES.flatMap(changed))
}
