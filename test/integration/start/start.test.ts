import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { COMPILE_CACHE } from '../../../server/boot/compile-cache.ts'
import { type DatabasePlace, describeOnBothDatabases } from '../../helpers/databases.ts'
import { freePort } from '../../services/free-port.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const MAIN = join(ROOT, 'server/main.ts')
const SECRET_KEY = 'a-secret-key-for-tests-only'

function isReadyAt(port: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

describeOnBothDatabases('npm start', (database) => {
  const running: ChildProcess[] = []
  afterEach(async () => {
    for (const child of running.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  })

  /** Starts the program in the folder of its data, with nothing set but what is given. */
  function start(place: DatabasePlace, settings: Record<string, string> = {}) {
    const child = spawn(process.execPath, [MAIN], {
      cwd: place.dataDir,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        PORT: '0',
        DATA_DIR: join(place.dataDir, 'data'),
        ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl, SECRET_KEY } : {}),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.push(child)
    const printed = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.err += text))
    const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...printed }))
    async function ready(): Promise<string> {
      const isSettled = () => child.exitCode !== null || printed.out.includes('/health/')
      await expect.poll(isSettled).toBe(true)
      expect(printed.err).toBe('')
      return /http:\/\/\S+:\d+/.exec(printed.out)?.[0] ?? ''
    }
    return { child, ended, ready, printed }
  }

  test('prints where everything is and answers there', async () => {
    const { ready, printed } = start(await database.createEmpty(), { SEED: 'demo' })
    const url = await ready()
    for (const path of ['/demo', '/widget.js', '/docs', '/health/ready']) {
      expect(printed.out).toContain(url + path)
      expect((await fetch(url + path)).status, path).toBe(200)
    }
    await expect.poll(() => printed.out).toMatch(/\/panel\/setup#[\w-]{43}\n/)
  })

  test('stops on SIGTERM with nothing left to do, exit 0', async () => {
    const { child, ended, ready } = start(await database.create())
    await ready()
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

  test('goes on, and stops when told, when nobody reads what it prints any more', async () => {
    const PORT = String(await freePort())
    const { child } = start(await database.create(), { PORT })
    child.stdout?.destroy()
    const isReady = () => isReadyAt(PORT)
    await expect.poll(isReady).toBe(true)
    expect(await isReady()).toBe(true)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('comes back after kill -9 with what it had acknowledged', async () => {
    const place = await database.create()
    const settings = { OPERATOR_TOKEN: 'operator-token-for-tests' }
    const owner = { email: 'owner@example.com', name: 'Owner', password: 'a long password' }
    const first = start(place, settings)
    const opened = await fetch(`${await first.ready()}/api/v1/operator/workspaces`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${settings.OPERATOR_TOKEN}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'Shop', plan: 'starter', locale: 'tr', owner }),
    })
    expect(opened.status).toBe(201)
    first.child.kill('SIGKILL')
    await first.ended

    const second = start(place, settings)
    const signedIn = await fetch(`${await second.ready()}/api/v1/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: owner.email, password: owner.password }),
    })
    expect(signedIn.status).toBe(200)
  })

  test('says in one line that its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = address !== null && typeof address === 'object' ? String(address.port) : ''
    const { code, err } = await start(await database.create(), { PORT: port }).ended
    other.close()
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toEqual([expect.stringContaining(`Port ${port} is taken`)])
  })

  test('of two that start on one port at once, one listens and one says that it is taken', async () => {
    const port = String(await freePort())
    const places = await Promise.all([database.create(), database.create()])
    const { code, err } = await Promise.race(
      places.map((place) => start(place, { PORT: port }).ended),
    )
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toEqual([expect.stringContaining(`Port ${port} is taken`)])
    await expect.poll(() => isReadyAt(port)).toBe(true)
  })

  if (database.kind === 'sqlite') {
    // Settings are judged before any database is opened.
    test.each([
      ['PORT', '70000'],
      ['PUBLIC_URL', 'example'],
      ['OWNER_EMAIL', 'owner'],
      ['TRUSTED_PROXIES', '10.0.0.0/99'],
      ['LIMIT_AUTH', '-1'],
    ])('says in one line that %s=%s is wrong', async (name, value) => {
      const { code, out, err } = await start(await database.createEmpty(), { [name]: value }).ended
      expect(code).toBe(1)
      expect(err.trim().split('\n')).toEqual([expect.stringContaining(name)])
      expect(out).toBe('')
    })

    test('takes a short secret with a word of warning, and refuses it in production', async () => {
      const place = await database.createEmpty()
      const settings = { OPERATOR_TOKEN: 'short' }
      const { code, err } = await start(place, { ...settings, NODE_ENV: 'production' }).ended
      expect(code).toBe(1)
      expect(err.trim().split('\n')).toEqual([expect.stringContaining('OPERATOR_TOKEN')])
      const { ready, printed } = start(place, settings)
      const url = await ready()
      await expect.poll(() => printed.out).toContain('OPERATOR_TOKEN is short')
      const headers = { authorization: 'Bearer short' }
      expect((await fetch(`${url}/api/v1/operator/workspaces`, { headers })).status).toBe(200)
    })

    test.each(['SIGTERM', 'SIGINT'] as const)(
      'stops when npm is told so by %s, and leaves nothing running',
      async (signal) => {
        const place = await database.createEmpty()
        const PORT = String(await freePort())
        const npm = spawn('npm', ['start'], {
          cwd: ROOT,
          env: { PATH: process.env.PATH, PORT, DATA_DIR: join(place.dataDir, 'data') },
          stdio: 'ignore',
        })
        running.push(npm)
        const isReady = () => isReadyAt(PORT)
        await expect.poll(isReady).toBe(true)
        npm.kill(signal)
        expect(await once(npm, 'exit')).toEqual([0, null])
        expect(await isReady()).toBe(false)
      },
    )

    test('refuses the data of a process that runs', async () => {
      const place = await database.createEmpty()
      const first = start(place)
      const url = await first.ready()
      const { code, err } = await start(place).ended
      expect(code).toBe(1)
      expect(err.trim().split('\n')).toEqual([expect.stringMatching(/DATA_DIR/)])
      expect((await fetch(`${url}/health/ready`)).status).toBe(200)
    })

    test('keeps what it generated from other users of the machine', async () => {
      const place = await database.createEmpty()
      await start(place).ready()
      const { mode } = statSync(join(place.dataDir, 'data', 'secret.key'))
      expect(mode & 0o777).toBe(0o600)
    })
  } else {
    test('runs as several processes on one database', async () => {
      const place = await database.createEmpty()
      const both = [start(place), start(place)]
      for (const { ready } of both) {
        expect((await fetch(`${await ready()}/health/ready`)).status).toBe(200)
      }
    })
  }
})
