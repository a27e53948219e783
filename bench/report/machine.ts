import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { type ProgramName, findPrograms } from '../../test/services/find.ts'
import { thisMachine } from '../../test/services/machine.ts'
import type { Run } from './merge.ts'

const ROOT = join(import.meta.dirname, '../..')
const PROGRAMS: readonly ProgramName[] = ['postgres', 'redis', 'chromium']
/** Files that the stored report depends on. */
const MEASURED = ['server', 'widget', 'panel', 'bench', ':!bench/report.json', 'package-lock.json']

/** Returns the circumstances of this run. A program that is missing has no version. */
export async function describeRun(): Promise<Run> {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: productCommit(),
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memory_gb: Math.round(totalmem() / 1e9),
      kernel: release().split('-')[0] ?? '',
    },
    versions: {
      node: process.versions.node,
      sqlite: sqliteVersion(),
      ...(await programVersions()),
    },
  }
}

async function programVersions(): Promise<Record<string, string>> {
  const versions: Record<string, string> = {}
  for (const name of PROGRAMS) {
    const path = (await findPrograms(thisMachine, [name]).catch(() => undefined))?.get(name)
    const printed = path && (await thisMachine.output(path, ['--version']))
    const version = /\d+(?:\.\d+)+/.exec(printed ?? '')?.[0]
    if (version !== undefined) versions[name] = version
  }
  return versions
}

function sqliteVersion(): string {
  const database = new Database(':memory:')
  const version = z.string().parse(database.prepare('select sqlite_version()').pluck().get())
  database.close()
  return version
}

/** Returns the commit, with a mark where files differ from it; the package's version outside of a clone. */
function productCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const isChanged = git('status', '--porcelain', '--', ...MEASURED).trim() !== ''
    return `${git('rev-parse', '--short=8', 'HEAD').trim()}${isChanged ? ', changed' : ''}`
  } catch {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
    return version
  }
}
