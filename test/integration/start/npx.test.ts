import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type DatabasePlace, useDatabase } from '../../helpers/databases.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../../..')
const TEST_MS = 120_000
const Package = z.object({ scripts: z.record(z.string(), z.string()) })

/** As for a user whose home cannot be written. */
function optionsOf({ dataDir }: DatabasePlace) {
  const own = { HOME: '/dev/null', DATA_DIR: dataDir, SECRET_KEY: 'a-secret-key-for-tests-only' }
  return { cwd: ROOT, env: { PATH: process.env.PATH, SEED: 'none', PORT: '0', ...own } }
}

describe('npx sohbet, without a home to write to,', () => {
  const database = useDatabase('sqlite')
  const stops: (() => void)[] = []
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
  })

  test(
    'names its commands, each of which npm runs too',
    async () => {
      const options = optionsOf(await database.createEmpty())
      const told: unknown = await run('npx', ['sohbet'], options).catch((error: unknown) => error)
      const { stderr } = z.object({ stderr: z.string() }).parse(told)
      const names = [...stderr.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name)
      expect(names.length).toBe(8)
      const { scripts } = Package.parse(
        JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
      )
      expect(names.filter((name) => scripts[name] === undefined)).toEqual([])
      for (const name of names.filter((each) => scripts[each]?.includes('sohbet.ts'))) {
        expect(scripts[name]).toBe(`node tools/sohbet.ts ${name}`)
      }
      expect((await run('npm', ['run', 'migrate'], options)).stdout).toContain('up to date')
    },
    TEST_MS,
  )

  test(
    'stops the product when it gets a SIGTERM',
    async () => {
      const place = await database.create()
      const options = { ...optionsOf(place), detached: true }
      const npx = spawn('npx', ['sohbet', 'start'], {
        ...options,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const ended = once(npx, 'exit')
      // Every process that may still print has it open.
      const closed = once(npx.stdout, 'close')
      stops.push(() => {
        try {
          process.kill(-(npx.pid ?? 0), 'SIGKILL')
        } catch {
          // They have ended.
        }
      })
      let text = ''
      for await (const chunk of npx.stdout
        .setEncoding('utf8')
        .iterator({ destroyOnReturn: false })) {
        text += String(chunk)
        if (/Panel +http/.test(text)) break
      }
      npx.stdout.resume()
      npx.kill('SIGTERM')
      await ended
      await closed
      expect((await run('npm', ['run', 'migrate'], options)).stdout).toContain('up to date')
    },
    TEST_MS,
  )
})
