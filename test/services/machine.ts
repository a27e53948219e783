import { execFile, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Machine } from './find.ts'

const execute = promisify(execFile)
const PROGRAM_ANSWERS_IN_MS = 20_000

/** The machine of this run. */
export const thisMachine: Machine = {
  env: process.env,
  list(folder) {
    try {
      return readdirSync(folder)
    } catch {
      return []
    }
  },
  async output(program, args) {
    try {
      return (await execute(program, args, { timeout: PROGRAM_ANSWERS_IN_MS })).stdout
    } catch {
      return undefined
    }
  },
  async install(packages) {
    const canInstall = process.getuid?.() === 0 && this.list('/usr/bin').includes('apt-get')
    if (!canInstall) return false
    console.log(`Installing ${packages.join(', ')} with apt-get`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    // Another run may hold the package manager's lock: wait for it.
    const wait = ['-o', 'DPkg::Lock::Timeout=300']
    // One by one: an unknown package must not prevent the installation of the others.
    const install = ['install', '-y', '--no-install-recommends', ...wait]
    for (const args of [['update', ...wait], ...packages.map((name) => [...install, name])]) {
      const { status, stdout, stderr } = spawnSync('apt-get', args, {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
      })
      if (status !== 0) console.error(`apt-get ${args.join(' ')} failed:\n${stdout}${stderr}`)
    }
    return true
  },
}
