import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const CHECKOUT = resolve(import.meta.dirname, '../..')
const BOOT = join(import.meta.dirname, 'boot-systemd.sh')
const MAX_TRIES = 200
const TRY_INTERVAL_MS = 50

/** A systemd that runs units as on a machine of its own. */
export interface BootedSystemd {
  /** Runs a shell script as root beside it, in the checkout; returns what it prints. */
  run(script: string): Promise<string>
  /** Returns properties of a unit, in the order of their names. */
  show(unit: string, ...names: string[]): Promise<string[]>
  stop(): Promise<void>
}

/**
 * Boots the machine's systemd in namespaces, with the checkout at /opt/sohbet and a view of what it
 * writes at /mnt. Needs root.
 */
export async function bootSystemd(): Promise<BootedSystemd> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-systemd-'))
  const words = ['--mount', 'sh', BOOT, folder, CHECKOUT, basename(folder)]
  const child = spawn('unshare', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const first = await retried(() => findFirstProcess(child.pid)).catch((cause: unknown) => {
    throw new Error(`systemd did not boot: ${complaints}`, { cause })
  })
  const kill = () => {
    if (child.exitCode === null) process.kill(first, 'SIGKILL')
  }
  process.on('exit', kill)
  const run = async (script: string) => {
    const entered = ['--target', String(first), '--mount', '--pid', '--ipc', '--uts', '--cgroup']
    const command = ['bash', '-euc', `cd /opt/sohbet; ${script}`]
    return (await execute('nsenter', [...entered, '--', ...command])).stdout
  }
  await retried(() => run('systemctl is-active --quiet systemd-journald'))
  return {
    run,
    async show(unit, ...names) {
      const options = names.map((name) => `--property=${name}`).join(' ')
      const printed = await run(`systemctl show ${options} '${unit}'`)
      const values = new Map(printed.split('\n').map((line) => splitAt(line, line.indexOf('='))))
      return names.map((name) => values.get(name) ?? '')
    },
    async stop() {
      process.off('exit', kill)
      kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The script starts `unshare`, whose only child is the first process of the namespace. */
async function findFirstProcess(script: number | undefined): Promise<number> {
  const first = await onlyChild(await onlyChild(Number(script)))
  const name = await readFile(`/proc/${first}/comm`, 'utf8')
  if (name.trim() !== 'systemd') throw new Error(`${name.trim()} runs instead of systemd.`)
  return first
}

async function onlyChild(parent: number): Promise<number> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')
  return Number(children.trim())
}

async function retried<Result>(look: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await look()
    } catch (error) {
      if (tries === MAX_TRIES) throw error
      await new Promise((done) => setTimeout(done, TRY_INTERVAL_MS))
    }
  }
}

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)]
}
