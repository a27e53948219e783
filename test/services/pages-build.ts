import { existsSync, globSync, statSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const SOURCES = [
  'widget/**/*',
  'panel/**/*',
  'vite*.config.ts',
  'vite.shared.ts',
  'package-lock.json',
  'server/**/schema.ts',
]
const LOCK = join('node_modules', '.cache', 'pages-build.lock')

/**
 * Builds the widget and the panel when its sources are newer than the output. A lock serializes builds: a concurrent
 * build would empty the output folder.
 * @param build runs both builds and returns its exit code
 * @returns the exit code; 0 for an output that is up to date
 */
export async function buildPages(build: () => Promise<number>): Promise<number> {
  await takeLock()
  try {
    return isFresh() ? 0 : await build()
  } finally {
    await rm(LOCK, { recursive: true, force: true })
  }
}

function isFresh(): boolean {
  const built = globSync('dist/**/*.js').map(changed)
  return built.length > 0 && Math.min(...built) > Math.max(...globSync(SOURCES).map(changed))
}

function changed(path: string): number {
  return statSync(path).mtimeMs
}

async function takeLock(): Promise<void> {
  await mkdir(join(LOCK, '..'), { recursive: true })
  for (;;) {
    try {
      await mkdir(LOCK)
      await writeFile(join(LOCK, 'pid'), String(process.pid))
      return
    } catch {
      if (await isAbandoned()) await rm(LOCK, { recursive: true, force: true })
      await wait(200)
    }
  }
}

/** A killed run leaves its lock behind. */
async function isAbandoned(): Promise<boolean> {
  const pid = Number(await readFile(join(LOCK, 'pid'), 'utf8').catch(() => ''))
  if (pid === 0) return existsSync(LOCK) && changed(LOCK) < Date.now() - 10_000
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
