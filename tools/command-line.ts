import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, SettingsError, readConfig } from '../server/config.ts'
import { DataDirectoryLockedError } from '../server/storage/database.ts'
import { SchemaError } from '../server/storage/migrate.ts'
import { CommandError } from './command-error.ts'

const ROOT = join(import.meta.dirname, '..')
/** As `npm start` runs it. */
const NODE_OPTIONS = ['--max-semi-space-size=32']
const NPX_INTERVAL_MS = 250

interface Command {
  /** The parameters after the name. */
  parameters: readonly string[]
  /** A flag after the parameters. */
  flag?: string
  does: string
  /** Returns what to print. */
  run(config: () => Config, parameters: readonly string[]): Promise<string | undefined>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    parameters: [],
    does: 'runs the product',
    run: () => runScript('server/main.ts', [], NODE_OPTIONS),
  },
  migrate: {
    parameters: [],
    does: 'brings the database up to date, without a start',
    async run(config) {
      const { openStorage } = await import('../server/storage/open.ts')
      const storage = await openStorage(config(), Date.now())
      await storage.close()
      return 'The database is up to date.'
    },
  },
  doctor: {
    parameters: [],
    flag: '--json',
    does: 'looks at everything the product needs, and says what to do',
    run: async (_config, flags) =>
      (await import('./doctor.ts')).examineInstallation(flags.includes('--json')),
  },
  backup: {
    parameters: ['FILE'],
    does: 'writes everything that is stored into one file, also while the product runs',
    run: async (config, [file = '']) => (await import('./backup/backup.ts')).backUp(config(), file),
  },
  restore: {
    parameters: ['FILE'],
    does: 'loads a backup into an empty DATA_DIR or database',
    run: async (config, [file = '']) =>
      (await import('./backup/backup.ts')).restore(config(), file),
  },
  'import-sqlite': {
    parameters: ['FOLDER'],
    does: 'loads a DATA_DIR into the empty database at DATABASE_URL',
    run: async (config, [folder = '']) =>
      (await import('./backup/backup.ts')).importSqlite(config(), folder),
  },
  owner: {
    parameters: ['EMAIL'],
    does: 'makes an owner, or gives an account a new password and ends its sessions',
    run: async (config, [email = '']) => (await import('./owner.ts')).makeOwner(config(), email),
  },
  ask: {
    parameters: ['TENANT', 'QUESTIONS.CSV'],
    does: 'asks a file of questions and prints how the bot did',
    run: (_config, parameters) => runScript('tools/ask.ts', parameters),
  },
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { parameters, flag, does }]) => {
    const words = [name, ...parameters, ...(flag === undefined ? [] : [`[${flag}]`])]
    return `  ${words.join(' ').padEnd(26)} ${does}`
  })
  return `Usage: npx sohbet COMMAND\n\n${lines.join('\n')}`
}

function settings(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  try {
    return readConfig()
  } catch (error) {
    if (error instanceof SettingsError) throw new CommandError(`Wrong setting: ${error.message}.`)
    throw error
  }
}

/** Runs a script in this terminal, passes signals on, and takes over its exit code. */
async function runScript(
  script: string,
  parameters: readonly string[],
  options: readonly string[] = [],
): Promise<undefined> {
  const words = [...options, join(ROOT, script), ...parameters]
  const child = spawn(process.execPath, words, { stdio: 'inherit' })
  const watch = endWithNpx(child)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      clearInterval(watch)
      child.kill(signal)
    })
  }
  const [code] = await once(child, 'exit')
  clearInterval(watch)
  process.exitCode = typeof code === 'number' ? code : 1
}

/** Ends a script when npx has ended: the shell between them dies of a signal without passing it on. */
function endWithNpx(child: ChildProcess): NodeJS.Timeout | undefined {
  if (process.env.npm_lifecycle_event !== 'npx') return undefined
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, NPX_INTERVAL_MS)
  return watch
}

async function main([name = '', ...parameters]: readonly string[]): Promise<void> {
  const command = COMMANDS[name]
  const values = parameters.filter((word) => word !== command?.flag)
  if (!command || values.length !== command.parameters.length) throw new CommandError(usage())
  const done = await command.run(settings, parameters)
  if (done !== undefined) process.stdout.write(`${done}\n`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof DataDirectoryLockedError) {
    process.stderr.write('Another process uses DATA_DIR. Stop it first.\n')
  } else if (error instanceof CommandError || error instanceof SchemaError) {
    process.stderr.write(`${error.message}\n`)
  } else if (error instanceof Error && 'code' in error) {
    process.stderr.write(`The database cannot be used: ${error.message}.\n`)
  } else throw error
  process.exitCode = 1
}
