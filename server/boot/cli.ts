import { existsSync } from 'node:fs'
import closeWithGrace from 'close-with-grace'
import { type Config, SettingsError, readConfig } from '../config.ts'
import { isDevelopment } from '../http/dev-only.ts'
import { systemClock } from '../lib/clock.ts'
import { DatabaseClock } from '../runtime/database-clock.ts'
import { openLog } from './log.ts'
import type { RunningServer } from '../server.ts'
import { DataDirectoryLockedError } from '../storage/database.ts'

const SHUTDOWN_TIMEOUT_MS = 9_000

/** Writes one line to stderr and exits with status 1. */
function exitWith(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

function settings(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  try {
    return readConfig()
  } catch (error) {
    if (error instanceof SettingsError) exitWith(`Wrong setting: ${error.message}.`)
    throw error
  }
}

function startupError(error: unknown, config: Config): string {
  if (error instanceof DataDirectoryLockedError) {
    return `Another process uses ${config.dataDir}. Stop it, or set DATA_DIR to another folder.`
  }
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `Port ${config.port} is taken. Stop what uses it, or set PORT to another one.`
  }
  if ('code' in error && error.code === 'ECONNREFUSED') {
    return `The database at DATABASE_URL does not answer: ${error.message}.`
  }
  if (isAboutListening(error, config)) {
    return `HOST (${config.host}) cannot be listened on: ${error.message}.`
  }
  const setting = config.databaseUrl ? 'DATABASE_URL' : `DATA_DIR (${config.dataDir})`
  return 'code' in error ? `${setting} cannot be used: ${error.message}.` : error.message
}

function isAboutListening(error: Error, { host }: Config): boolean {
  const isOfHost = 'hostname' in error && error.hostname === host
  return isOfHost || ('syscall' in error && error.syscall === 'listen')
}

function announce(
  { url, setupToken }: RunningServer,
  config: Config,
  { base, demoTenant }: { base: string; demoTenant: string },
): void {
  const lines: [string, string][] = [
    ['Demo', `${url}/demo`],
    ['Widget', `${url}/widget.js`],
    ['API', `${url}/api/v1`],
    ['Reference', `${url}/docs`],
    ['Health', `${url}/health/ready`],
    ['Data', config.databaseUrl ? 'Postgres (DATABASE_URL)' : config.dataDir],
    ['Panel', `${base}/panel`],
  ]
  const shown = lines.filter(([name]) => {
    if (config.role === 'worker') return name === 'Health' || name === 'Data'
    return name !== 'Demo' || config.seed === 'demo'
  })
  process.stdout.write(`\nSohbet is ready.\n\n`)
  for (const [name, value] of shown) process.stdout.write(`  ${name.padEnd(10)} ${value}\n`)
  if (config.seed === 'demo') {
    const tag = `<script src="${config.publicUrl}/widget.js" data-tenant="${demoTenant}" async></script>`
    process.stdout.write(`\n  ${tag}\n`)
  }
  if (setupToken !== undefined) {
    process.stdout.write('\n  Nobody has an account yet. Open this link within an hour, once:\n')
    process.stdout.write(`  ${base}/panel/setup#${setupToken}\n`)
  }
  if (config.allowPrivateTargets) {
    process.stdout.write(
      '\n  ALLOW_PRIVATE_TARGETS is on: customers can reach private addresses.\n',
    )
  }
  if (config.devPath !== undefined && isDevelopment(config)) {
    const pages = config.smtpUrl ? ['hooks'] : ['mail', 'hooks']
    process.stdout.write('\n  DEV_PAGES is on. The addresses of its pages are secret:\n')
    for (const page of pages) process.stdout.write(`  ${url}${config.devPath}/${page}\n`)
  }
  for (const name of config.shortSecrets) {
    process.stdout.write(
      `\n  ${name} is short. Choose a longer one before others can reach this.\n`,
    )
  }
  process.stdout.write('\n')
}

/** Ignores EPIPE: a closed terminal or pipe must not end the process. */
function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (!('code' in error) || error.code !== 'EPIPE') throw error
    })
  }
}

ignoreBrokenPipe()
const given = settings()
const config = { ...given, publicUrl: given.publicUrl ?? `http://localhost:${given.port}` }
const log = openLog(config.logLevel, process.stdout.isTTY)
// Loaded after the settings are checked, so that an invalid setting is reported at once.
const { startServer } = await import('../server.ts')
const { DEMO_TENANT } = await import('../demo/seed.ts')
try {
  const product = await startServer(config, { clock: new DatabaseClock(systemClock), log })
  closeWithGrace({ delay: SHUTDOWN_TIMEOUT_MS, logger: false }, async ({ err }) => {
    if (err) log.fatal({ event: 'process.crashed', err }, 'uncaught error ends the process')
    await product.stop()
  })
  // Printed last, because a supervisor may send a signal as soon as it reads the line.
  const base = given.publicUrl ?? product.url
  announce(product, config, { base, demoTenant: DEMO_TENANT })
} catch (error) {
  exitWith(startupError(error, config))
}
