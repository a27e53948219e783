import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_WIDGET } from './http/assets.ts'

const ROOT = join(import.meta.dirname, '..')

/** Builds what browsers load, if it is not there yet. Throws when the build fails. */
export function buildIfMissing(): void {
  if (existsSync(join(BUILT_WIDGET, 'widget.js'))) return
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const built = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) {
    throw new Error('The widget could not be built. Run `npm run build` to see why.')
  }
}
