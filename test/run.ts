/** `npm test`: brings what the chosen tests need, runs them, and counts them in one closing line. */
import { spawn } from 'node:child_process'
import { existsSync, globSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, readFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { COMPILE_CACHE } from '../server/boot/compile-cache.ts'
import {
  addCounts,
  closingLine,
  countPlaywright,
  countVitest,
  failureLines,
  type Counts,
} from './services/counts.ts'
import { findPrograms, MissingProgram, type ProgramName } from './services/find.ts'
import { roomHere, throwawayFolder } from './services/folder.ts'
import { thisMachine } from './services/machine.ts'
import { startPostgres } from './services/postgres.ts'
import { startRedis } from './services/redis.ts'
import { chooseSuites, type Suite } from './services/suites.ts'
import { buildPages } from './services/pages-build.ts'

const VITEST = 'node_modules/vitest/vitest.mjs'
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'
const VITE = 'node_modules/vite/bin/vite.js'
const PRECOMPILE = 'server/boot/warm-compile-cache.ts'
/**
 * The compile cache of the runner. In the product's, a runner would replace every module by one of
 * its own V8 flags, which a process of the product compiles again.
 */
const RUNNER_CACHE = resolve(COMPILE_CACHE, '../node-tests')

const FAULT_PROGRAMS = ['nginx', 'haproxy', 'promtool', 'systemd', 'faketime'] as const
const PROGRAM_SETTINGS = {
  nginx: 'TEST_NGINX',
  haproxy: 'TEST_HAPROXY',
  promtool: 'TEST_PROMTOOL',
  systemd: 'TEST_SYSTEMD_ANALYZE',
  faketime: 'TEST_FAKETIME',
} as const

const FILES: Record<Suite, string[]> = {
  unit: ['test/unit/**/*.test.ts', 'test/unit/**/*.test.tsx', 'test/quality/**/*.test.ts'],
  integration: ['test/integration/**/*.test.ts'],
  browser: ['test/browser/**/*.test.ts'],
  faults: ['test/faults/**/*.test.ts'],
  interop: ['test/interop/**/*.test.ts'],
}

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The second one is from somebody who does not want to wait; `exit` handlers still clean up.
    if (stopped.signal.aborted) process.exit(130)
    stopped.abort(signal)
  })
}

process.chdir(resolve(import.meta.dirname, '..'))
process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const { suites, isFull, rest } = chooseSuites(args)
  const folder = await mkdtemp(join(throwawayFolder(roomHere()), 'sohbet-test-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.on('exit', remove)
  const servers: { stop(): Promise<void> }[] = []
  try {
    const env = await startServices(suites, folder, servers)
    if (isFull) env.TEST_FULL = 'true'
    const { code, counts } = await runSuites(suites, rest, folder, env)
    return stopped.signal.aborted ? 130 : conclude(code, counts)
  } catch (error) {
    console.error(error instanceof MissingProgram ? error.message : error)
    return 1
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** Starts what the suites need and returns the environment that leads the tests to it. */
async function startServices(
  suites: Suite[],
  folder: string,
  servers: { stop(): Promise<void> }[],
): Promise<NodeJS.ProcessEnv> {
  const { TEST_POSTGRES_URL, TEST_REDIS_URL } = process.env
  const isIntegration = suites.includes('integration') || suites.includes('interop')
  const wanted: ProgramName[] = []
  if (isIntegration && !TEST_POSTGRES_URL) wanted.push('postgres')
  if (isIntegration && !TEST_REDIS_URL) wanted.push('redis')
  // The examples for receivers are run as they stand in the documentation.
  if (isIntegration) wanted.push('php', 'python', 'pgbouncer', 'nginx', 'haproxy')
  if (suites.includes('browser') || suites.includes('interop')) wanted.push('chromium')
  // A named browser is the one to test in, unless the shell has a name too.
  const { TEST_CHROMIUM, TEST_HEADLESS_SHELL } = process.env
  const isShellWanted = suites.includes('browser') && (TEST_HEADLESS_SHELL || !TEST_CHROMIUM)
  if (isShellWanted) wanted.push('headlessShell')
  if (suites.includes('interop')) wanted.push('soffice')
  const hasFaults = suites.includes('faults')
  if (hasFaults) wanted.push('postgres', 'redis', ...FAULT_PROGRAMS)

  const programs = await findPrograms(thisMachine, wanted)
  const postgres = programs.get('postgres')
  const redis = programs.get('redis')
  const chromium = programs.get('chromium')
  const path = [resolve('node_modules/.bin'), process.env.PATH].join(delimiter)
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: path,
    TMPDIR: folder,
  }
  if (chromium !== undefined) env.TEST_CHROMIUM = chromium
  const headlessShell = programs.get('headlessShell')
  if (headlessShell !== undefined) env.TEST_HEADLESS_SHELL = headlessShell
  for (const name of ['php', 'python', 'pgbouncer', 'soffice'] as const) {
    const program = programs.get(name)
    if (program !== undefined) env[`TEST_${name.toUpperCase()}`] = program
  }
  for (const name of FAULT_PROGRAMS) {
    const program = programs.get(name)
    if (program !== undefined) env[PROGRAM_SETTINGS[name]] = program
  }
  // Those tests stop and start servers of their own, as another user who has to reach their folders.
  if (hasFaults) await chmod(folder, 0o711)
  if (hasFaults && postgres !== undefined) env.TEST_POSTGRES_BIN = postgres
  if (hasFaults && redis !== undefined) env.TEST_REDIS_BIN = redis
  // Go is large, so it is not installed for one example; where it is, that one is run too.
  const hasGo = isIntegration && (await thisMachine.output('go', ['version'])) !== undefined
  if (hasGo) env.TEST_GO ??= 'go'
  if (isIntegration && postgres !== undefined) {
    const server = await startPostgres(postgres, folder)
    servers.push(server)
    env.TEST_POSTGRES_URL = server.url
  }
  if (isIntegration && redis !== undefined) {
    const server = await startRedis(redis, folder)
    servers.push(server)
    env.TEST_REDIS_URL = server.url
  }
  return env
}

type Outcome = { code: number; counts: Counts }

async function runSuites(
  suites: Suite[],
  rest: string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const outcomes: Outcome[] = []
  const projects = suites.filter((suite) => suite !== 'browser')
  // Integration tests fetch the built widget from the server too.
  if (suites.some((suite) => suite !== 'unit')) {
    const code = await buildPages(async () => {
      const widget = await runNode(VITE, ['build'], env)
      return widget || runNode(VITE, ['build', '--config', 'vite.panel.config.ts'], env)
    })
    if (code !== 0) outcomes.push(failure(code, 'The widget could not be built.'))
    // Tests start a hundred processes, many of which are killed before they could write there.
    if (!existsSync(COMPILE_CACHE)) await runNode(PRECOMPILE, [], env)
  }
  if (projects.length > 0) {
    const report = join(folder, 'vitest.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const chosen = projects.map((project) => `--project=${project}`)
    const code = await runNode(VITEST, ['run', ...chosen, ...reporters, ...rest], {
      ...env,
      NODE_COMPILE_CACHE: RUNNER_CACHE,
    })
    outcomes.push(await readOutcome(report, code, countVitest, projects))
  }
  if (suites.includes('browser')) {
    const report = join(folder, 'playwright.json')
    const results = join('test-results', String(process.pid))
    const code = await runNode(PLAYWRIGHT, ['test', ...rest], {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      TEST_RESULTS: results,
    })
    if (code === 0) rmSync(results, { recursive: true, force: true })
    outcomes.push(await readOutcome(report, code, countPlaywright, ['browser']))
  }
  return {
    code: Math.max(...outcomes.map((outcome) => outcome.code)),
    counts: addCounts(outcomes.map((outcome) => outcome.counts)),
  }
}

/** Runs a tool with this Node to its end, without standard input. A signal to us is passed on. */
async function runNode(script: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (stopped.signal.aborted) return 130
  const child = spawn(process.execPath, [script, ...args], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const stop = () => child.kill('SIGTERM')
  stopped.signal.addEventListener('abort', stop)
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => {
      stopped.signal.removeEventListener('abort', stop)
      done(code ?? 1)
    })
  })
}

/** An error outside of a test counts as one failure: the closing line never says 0. */
async function readOutcome(
  file: string,
  code: number,
  count: (report: unknown) => Counts,
  suites: Suite[],
): Promise<Outcome> {
  if (stopped.signal.aborted) return { code, counts: addCounts([]) }
  const empty = suites.filter((suite) => globSync(FILES[suite]).length === 0)
  if (empty.length > 0) return failure(code, `There are no ${empty.join(' and no ')} tests.`)
  const report: unknown = await readFile(file, 'utf8').then(JSON.parse, () => undefined)
  if (report === undefined) return failure(code, 'The test runner ended without a report.')
  const counts = count(report)
  if (counts.passed + counts.failed + counts.skipped === 0) return failure(code, 'No test was run.')
  if (code !== 0 && counts.failed === 0) {
    return { code, counts: addCounts([counts, failure(code, `${suites[0]} failed.`).counts]) }
  }
  return { code, counts }
}

function failure(code: number, sentence: string): Outcome {
  console.error(sentence)
  const failures = [{ name: sentence, message: '' }]
  return { code: code || 1, counts: { ...addCounts([]), failed: 1, failures } }
}

/** Prints the closing line and gives the exit code. With CI=true a skipped test is a failure. */
function conclude(code: number, counts: Counts): number {
  const isCi = process.env.CI === 'true' || process.env.CI === '1'
  const refusesSkipped = isCi && counts.skipped > 0
  if (refusesSkipped) {
    console.error('With CI=true no test may be skipped:')
    for (const name of counts.skippedNames) console.error(`  ${name}`)
  }
  // They stand at the end, where somebody looks first, below thousands of lines.
  if (counts.failures.length > 0) console.error(`\n${failureLines(counts.failures)}`)
  console.log(`\n${closingLine(counts)}`)
  return refusesSkipped || counts.failed > 0 ? code || 1 : code
}
