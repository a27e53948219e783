/**
 * Run by a drop-in before the product, in the sandbox of the unit: writes what a process there is, and
 * what it can do, to the file that is named.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FOLDERS = [
  '/',
  '/etc',
  '/etc/sohbet',
  '/home',
  '/home/somebody',
  '/opt',
  '/opt/sohbet',
  '/opt/sohbet/server',
  '/root',
  '/run',
  '/srv/open',
  '/usr',
  '/usr/local/bin',
  '/var',
  '/var/cache',
  '/var/lib',
  '/var/lib/sohbet',
  '/var/log',
  '/proc/sys/kernel',
  '/sys/fs/cgroup',
  '/dev',
]

const [, , file = ''] = process.argv
const status = new Map(linesOf('/proc/self/status').map((line) => splitOnce(line, ':\t')))
const limits = linesOf('/proc/self/limits').find((line) => line.startsWith('Max open files'))

writeFileSync(
  file,
  JSON.stringify({
    user: execFileSync('id', ['--user', '--name'], { encoding: 'utf8' }).trim(),
    group: execFileSync('id', ['--group', '--name'], { encoding: 'utf8' }).trim(),
    umask: process.umask(),
    folder: process.cwd(),
    settings: [process.env.NODE_ENV, process.env.PORT, process.env.DATA_DIR],
    openFiles: limits?.split(/\s+/)[3],
    capabilities: ['CapEff', 'CapPrm', 'CapBnd', 'CapAmb'].map((name) => status.get(name)),
    hasNewPrivileges: status.get('NoNewPrivs') !== '1',
    isFiltered: status.get('Seccomp') === '2',
    writable: FOLDERS.filter(canWrite),
    temporary: readdirSync(tmpdir()),
    canReadSettings: canRead('/etc/sohbet/sohbet.env'),
    seesFirstProcess: existsSync('/proc/1'),
    homes: ['/home', '/root'].filter((folder) => canList(folder)),
    devices: readdirSync('/dev').filter((name) => /^(?:vd|sd|nvme|mem|kmsg|kvm|port)/.test(name)),
    changesNamespaces: spawnSync('unshare', ['--user', 'true']).status === 0,
    becomesRealTime: spawnSync('chrt', ['--fifo', '1', 'true']).status === 0,
  }),
)

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n')
}

function splitOnce(line: string, mark: string): [string, string] {
  const [name = '', value = ''] = line.split(mark)
  return [name, value]
}

function canWrite(folder: string): boolean {
  const path = join(folder, 'sohbet-probe')
  return succeeds(() => {
    writeFileSync(path, '')
    rmSync(path)
  })
}

function canRead(path: string): boolean {
  return succeeds(() => readFileSync(path))
}

function canList(folder: string): boolean {
  return succeeds(() => {
    if (readdirSync(folder).length === 0) throw new Error('There is nothing to see.')
  })
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}
