import { execFile } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SOURCES = ['client/**/*.ts', 'client/package.json', 'server/**/schema.ts']

/** A throw-away project in which the packed client is installed. */
export interface ClientProject {
  folder: string
  remove(): Promise<void>
}

/**
 * Packs the client as for a registry and installs the archive in a project of its own, with packages
 * from the registry beside it if there are any.
 */
export async function installClient(packages: readonly string[] = []): Promise<ClientProject> {
  if (!isBuilt()) await run(process.execPath, ['client/build.ts'])
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-packed-'))
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: resolve('client') })
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
  const isOffline = packages.length === 0 ? ['--offline'] : []
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent']
  await run('npm', ['install', ...isOffline, ...quiet, join(folder, archive), ...packages], {
    cwd: folder,
  })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

function isBuilt(): boolean {
  const changed = (pattern: string) =>
    globSync(pattern, { exclude: (name) => name === 'dist' }).map((file) => statSync(file).mtimeMs)
  const built = changed('client/dist/*')
  return built.length > 0 && Math.min(...built) > Math.max(...SOURCES.flatMap(changed))
}
