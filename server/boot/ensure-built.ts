import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_WIDGET } from '../lib/built-widget.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Where compiled modules are kept from one start to the next. */
export const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node')

/**
 * Builds what browsers load, and compiles what this process is about to load, where that was not
 * done yet. Loads nothing of the product itself. Throws when the build fails.
 */
export function ensureBuilt(): void {
  if (!existsSync(join(BUILT_WIDGET, 'widget.js'))) {
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
    if (run(vite, 'build', '--logLevel', 'warn') !== 0) {
      throw new Error('The widget could not be built. Run `npm run build` to see why.')
    }
  }
  // Without it the first start only takes more memory and half a second, so its failure is no error.
  if (!existsSync(COMPILE_CACHE)) run(join(import.meta.dirname, 'warm-compile-cache.ts'))
}

function run(...words: string[]): number | null {
  return spawnSync(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
    .status
}
