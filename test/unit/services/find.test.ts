import { describe, expect, test } from 'vitest'
import { findPrograms, MissingProgram, type Machine } from '../../services/find.ts'

type Given = {
  env?: Record<string, string>
  /** Paths of programs and what they print for `--version`. */
  programs?: Record<string, string>
  /** Programs that the package manager installs; without it nothing can be installed. */
  installable?: Record<string, string>
}

function machineWith({
  env = { PATH: '/usr/local/bin:/usr/bin' },
  programs = {},
  installable,
}: Given) {
  const present = new Map(Object.entries(programs))
  const installed: string[][] = []
  const machine: Machine = {
    env,
    list(folder) {
      const below = [...present.keys()].filter((path) => path.startsWith(`${folder}/`))
      return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))]
    },
    output: (program) => Promise.resolve(present.get(program)),
    install(packages) {
      installed.push(packages)
      for (const [path, version] of Object.entries(installable ?? {})) present.set(path, version)
      return Promise.resolve(installable !== undefined)
    },
  }
  return { machine, installed }
}

const CHROMIUM = { '/usr/bin/chromium': 'Chromium 156.0.8078.79 built on Debian' }
const SHELL = { '/usr/bin/chromium-headless-shell': 'Chromium 150.0.7871.100' }
const POSTGRES = { '/usr/lib/postgresql/17/bin/postgres': 'postgres (PostgreSQL) 17.6' }
const REDIS = { '/usr/bin/redis-server': 'Redis server v=7.0.15 sha=00000000:0' }

describe('what the tests need', () => {
  test('is found on the system, PostgreSQL outside of PATH too', async () => {
    const { machine, installed } = machineWith({ programs: { ...CHROMIUM, ...POSTGRES, ...REDIS } })
    const found = await findPrograms(machine, ['chromium', 'postgres', 'redis'])
    expect(Object.fromEntries(found)).toEqual({
      chromium: '/usr/bin/chromium',
      postgres: '/usr/lib/postgresql/17/bin/postgres',
      redis: '/usr/bin/redis-server',
    })
    expect(installed).toEqual([])
  })

  test('is taken from a setting before anything else, as a program or its folder', async () => {
    const programs = { '/mine/15/postgres': 'postgres (PostgreSQL) 15.1', ...POSTGRES }
    for (const setting of ['/mine/15', '/mine/15/postgres']) {
      const { machine } = machineWith({ env: { TEST_POSTGRES_BIN: setting }, programs })
      const found = await findPrograms(machine, ['postgres'])
      expect(found.get('postgres')).toBe('/mine/15/postgres')
    }
  })

  test('is never replaced by something else when its setting is wrong', async () => {
    const { machine } = machineWith({ env: { TEST_CHROMIUM: '/gone' }, programs: CHROMIUM })
    await expect(findPrograms(machine, ['chromium'])).rejects.toThrow(/TEST_CHROMIUM is "\/gone"/)
  })

  test('is the newest of several versions', async () => {
    const old = { '/usr/lib/postgresql/9/bin/postgres': 'postgres (PostgreSQL) 9.6' }
    const { machine } = machineWith({ programs: { ...old, ...POSTGRES } })
    const found = await findPrograms(machine, ['postgres'])
    expect(found.get('postgres')).toBe('/usr/lib/postgresql/17/bin/postgres')
  })

  test('is passed over when it is too old or only a wrapper that prints advice', async () => {
    const { machine } = machineWith({
      programs: {
        '/usr/bin/redis-server': 'Redis server v=6.0.16 sha=00000000:0',
        '/usr/bin/chromium-browser': 'This command requires the chromium snap to be installed.',
        '/usr/bin/google-chrome': 'Google Chrome 150.0.1.2',
        '/usr/local/bin/valkey-server': 'Valkey server v=8.1.3 sha=00000000:0',
      },
    })
    const found = await findPrograms(machine, ['chromium', 'redis'])
    expect(found.get('chromium')).toBe('/usr/bin/google-chrome')
    expect(found.get('redis')).toBe('/usr/local/bin/valkey-server')
  })

  test('may be an interpreter of an example in the documentation', async () => {
    const programs = {
      '/usr/bin/php': 'PHP 8.2.36 (cli) (built: Nov 18 2026 20:02:04) (NTS)',
      '/usr/local/bin/python': 'Python 2.7.18',
      '/usr/bin/python3': 'Python 3.11.2',
    }
    const { machine } = machineWith({ programs })
    const found = await findPrograms(machine, ['php', 'python'])
    expect(Object.fromEntries(found)).toEqual({ php: '/usr/bin/php', python: '/usr/bin/python3' })
    const { machine: bare } = machineWith({})
    const search = findPrograms(bare, ['php', 'python'])
    await expect(search).rejects.toThrow(/PHP 8 .*"php-cli", or set TEST_PHP to the program\.$/m)
    await expect(search).rejects.toThrow(/Python 3 .*"python3", or set TEST_PYTHON/)
  })

  test('is installed in one go when it is missing and the machine can install', async () => {
    const { machine, installed } = machineWith({
      programs: CHROMIUM,
      installable: { ...POSTGRES, ...REDIS },
    })
    const found = await findPrograms(machine, ['chromium', 'postgres', 'redis'])
    expect(installed).toEqual([['postgresql', 'redis-server']])
    expect(found.size).toBe(3)
  })

  test('may do without Chromium’s headless shell, which is installed where it can be', async () => {
    const wanted = ['chromium', 'headlessShell'] as const
    const { machine: root, installed } = machineWith({ programs: CHROMIUM, installable: SHELL })
    const found = await findPrograms(root, [...wanted])
    expect(installed).toEqual([['chromium-headless-shell']])
    expect(found.get('headlessShell')).toBe('/usr/bin/chromium-headless-shell')
    for (const given of [{ programs: CHROMIUM }, { programs: CHROMIUM, installable: {} }]) {
      const { machine } = machineWith(given)
      const without = await findPrograms(machine, [...wanted])
      expect(Object.fromEntries(without)).toEqual({ chromium: '/usr/bin/chromium' })
    }
    const { machine } = machineWith({ env: { TEST_HEADLESS_SHELL: '/gone' }, programs: SHELL })
    await expect(findPrograms(machine, ['headlessShell'])).rejects.toThrow(/TEST_HEADLESS_SHELL is/)
  })

  test('is named in one sentence each, with the way out, when nothing helps', async () => {
    const { machine } = machineWith({ programs: CHROMIUM })
    const search = findPrograms(machine, ['chromium', 'postgres', 'redis'])
    await expect(search).rejects.toThrow(MissingProgram)
    await expect(search).rejects.toThrow(/PostgreSQL 15 .*"postgresql".*TEST_POSTGRES_BIN/)
    await expect(search).rejects.toThrow(/Valkey or Redis 7 .*TEST_REDIS_BIN.*TEST_REDIS_URL/)
    await expect(search).rejects.not.toThrow(/Chromium/)
  })
})
