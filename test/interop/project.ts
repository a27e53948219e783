import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MAX_OUTPUT_BYTES = 32_000_000

/** A throw-away project of an integrator, with packages from the registry. */
export interface Project {
  folder: string
  write(files: Readonly<Record<string, string>>): Promise<void>
  /** Runs a script of a package with this Node; rejects when it fails. */
  node(script: string, ...args: string[]): Promise<{ stdout: string; stderr: string }>
  stop(): Promise<void>
}

/** Installs packages, given with their exact versions, into an empty project. */
export async function createProject(packages: readonly string[]): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-interop-'))
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent', '--save-exact']
  await run('npm', ['install', ...quiet, ...packages], { cwd: folder })
  return {
    folder,
    async write(files) {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), text)
      }
    },
    node(script, ...args) {
      return run(process.execPath, [script, ...args], {
        cwd: folder,
        maxBuffer: MAX_OUTPUT_BYTES,
        env: { ...process.env, CI: 'true', NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' },
      })
    },
    stop: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
