/** The machine as the finder sees it. Tests inject other machines. */
export type Machine = {
  env: Record<string, string | undefined>
  /** Returns the names in a folder; empty for a missing folder. */
  list(folder: string): string[]
  /** Returns a program's stdout; `undefined` when it is missing or fails. */
  output(program: string, args: string[]): Promise<string | undefined>
  /** Installs system packages; returns `false` on a machine without a package manager or root. */
  install(packages: string[]): Promise<boolean>
}

type Program = {
  title: string
  /** Environment variable that names the program, or the folder that holds it. */
  setting: string
  names: string[]
  /** Folders beside PATH; `*` matches a version, and the highest version is tried first. */
  folders: string[]
  /** Minimum major version. */
  version: number
  /** Package in Debian and Ubuntu. */
  package: string
  /** Where the program tells its version in another way, or on stderr. */
  versionFlag?: string
  /** Whether the tests have another program where this one cannot be had. */
  isOptional?: boolean
}

const PROGRAMS = {
  chromium: {
    title: 'Chromium',
    setting: 'TEST_CHROMIUM',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    folders: ['/usr/bin', '/opt/google/chrome'],
    version: 120,
    package: 'chromium',
  },
  headlessShell: {
    title: 'Chromium’s headless shell',
    setting: 'TEST_HEADLESS_SHELL',
    names: ['chromium-headless-shell', 'chrome-headless-shell'],
    folders: ['/usr/bin'],
    version: 120,
    package: 'chromium-headless-shell',
    isOptional: true,
  },
  postgres: {
    title: 'PostgreSQL',
    setting: 'TEST_POSTGRES_BIN',
    names: ['postgres'],
    folders: ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/*/bin'],
    version: 15,
    package: 'postgresql',
  },
  redis: {
    title: 'Valkey or Redis',
    setting: 'TEST_REDIS_BIN',
    names: ['valkey-server', 'redis-server'],
    folders: ['/usr/bin', '/opt/homebrew/bin'],
    version: 7,
    package: 'redis-server',
  },
  php: {
    title: 'PHP',
    setting: 'TEST_PHP',
    names: ['php'],
    folders: ['/usr/bin', '/opt/homebrew/bin'],
    version: 8,
    package: 'php-cli',
  },
  pgbouncer: {
    title: 'PgBouncer',
    setting: 'TEST_PGBOUNCER',
    names: ['pgbouncer'],
    folders: ['/usr/sbin', '/opt/homebrew/bin'],
    version: 1,
    package: 'pgbouncer',
  },
  python: {
    title: 'Python',
    setting: 'TEST_PYTHON',
    names: ['python3', 'python'],
    folders: ['/usr/bin', '/opt/homebrew/bin'],
    version: 3,
    package: 'python3',
  },
  nginx: {
    title: 'nginx',
    setting: 'TEST_NGINX',
    names: ['nginx'],
    folders: ['/usr/sbin', '/opt/homebrew/bin'],
    version: 1,
    package: 'nginx-light',
    versionFlag: '-v',
  },
  haproxy: {
    title: 'HAProxy',
    setting: 'TEST_HAPROXY',
    names: ['haproxy'],
    folders: ['/usr/sbin', '/opt/homebrew/bin'],
    version: 2,
    package: 'haproxy',
    versionFlag: '-v',
  },
  promtool: {
    title: 'promtool',
    setting: 'TEST_PROMTOOL',
    names: ['promtool'],
    folders: ['/usr/bin'],
    version: 2,
    package: 'prometheus',
  },
  systemd: {
    title: 'systemd-analyze',
    setting: 'TEST_SYSTEMD_ANALYZE',
    names: ['systemd-analyze'],
    folders: ['/usr/bin'],
    version: 250,
    package: 'systemd',
  },
  faketime: {
    title: 'faketime',
    setting: 'TEST_FAKETIME',
    names: ['faketime'],
    folders: ['/usr/bin'],
    version: 0,
    package: 'faketime',
  },
  soffice: {
    title: 'LibreOffice',
    setting: 'TEST_SOFFICE',
    names: ['soffice', 'libreoffice'],
    folders: ['/usr/bin', '/usr/lib/libreoffice/program', '/opt/libreoffice*/program'],
    version: 7,
    package: 'libreoffice-calc-nogui',
  },
} satisfies Record<string, Program>

export type ProgramName = keyof typeof PROGRAMS

/** A program is missing and cannot be installed; the message names it and says how to install it. */
export class MissingProgram extends Error {}

/**
 * Finds the programs that the chosen tests need: by their settings, else on the system, else by
 * installing their packages where that is possible.
 * @returns the path of each program; an optional one may be absent
 * @throws MissingProgram with one sentence for each missing program
 */
export async function findPrograms(
  machine: Machine,
  wanted: ProgramName[],
): Promise<Map<ProgramName, string>> {
  const found = await lookFor(machine, wanted)
  const missing = wanted.filter((name) => !found.has(name))
  if (missing.length === 0) return found
  const installed = await machine.install(missing.map((name) => PROGRAMS[name].package))
  const late = installed ? await lookFor(machine, missing) : new Map<ProgramName, string>()
  const lacking = missing.filter((name) => !late.has(name) && !isOptional(PROGRAMS[name]))
  if (lacking.length > 0) throw new MissingProgram(lacking.map(sentenceOf).join('\n'))
  return new Map([...found, ...late])
}

function isOptional(program: Program): boolean {
  return program.isOptional === true
}

async function lookFor(machine: Machine, wanted: ProgramName[]): Promise<Map<ProgramName, string>> {
  const found = new Map<ProgramName, string>()
  for (const name of wanted) {
    const path = await findProgram(machine, PROGRAMS[name])
    if (path !== undefined) found.set(name, path)
  }
  return found
}

/** A setting with a wrong path is an error: a silent fallback would test another program. */
async function findProgram(machine: Machine, program: Program): Promise<string | undefined> {
  const set = machine.env[program.setting]
  if (set !== undefined && set !== '') {
    for (const path of [set, ...program.names.map((name) => `${set}/${name}`)]) {
      if (await fits(machine, program, path)) return path
    }
    throw new MissingProgram(
      `${program.setting} is "${set}", and there is no ${program.title} ${program.version} or later.`,
    )
  }
  const onPath = (machine.env.PATH ?? '').split(':').filter((folder) => folder !== '')
  const folders = [...onPath, ...program.folders.flatMap((folder) => expand(machine, folder))]
  for (const folder of new Set(folders)) {
    const present = new Set(machine.list(folder))
    for (const name of program.names) {
      const path = `${folder}/${name}`
      if (present.has(name) && (await fits(machine, program, path))) return path
    }
  }
  return undefined
}

function expand(machine: Machine, folder: string): string[] {
  const star = folder.indexOf('*')
  if (star === -1) return [folder]
  const base = folder.slice(0, folder.lastIndexOf('/', star))
  const after = folder.slice(folder.indexOf('/', star))
  const prefix = folder.slice(base.length + 1, star)
  return machine
    .list(base)
    .filter((name) => name.startsWith(prefix))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => `${base}/${name}${after}`)
}

/** Executes the program to read its version: some systems have a wrapper that only prints advice. */
async function fits(machine: Machine, program: Program, path: string): Promise<boolean> {
  const { versionFlag } = program
  const printed = versionFlag
    ? await machine.output('sh', ['-c', `"$0" ${versionFlag} 2>&1`, path])
    : await machine.output(path, ['--version'])
  const version = /(\d+)\.\d/.exec(printed ?? '')?.[1]
  return version !== undefined && Number(version) >= program.version
}

function sentenceOf(name: ProgramName): string {
  const { title, version, package: packageName, setting } = PROGRAMS[name]
  const isServer = name === 'postgres' || name === 'redis'
  const url = isServer ? `, or TEST_${name.toUpperCase()}_URL to a running server` : ''
  return (
    `These tests need ${title} ${version} or later, and it was not found: ` +
    `install the package "${packageName}", or set ${setting} to the program${url}.`
  )
}
