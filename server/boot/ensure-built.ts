import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_WIDGET } from '../lib/built-widget.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The folder of the compile cache, which outlives the process. */
export const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node')

/**
 * Builds the widget and fills the compile cache, unless both exist. Loads no module of the product.
 * Idempotent. Throws when the build fails.
 */
export function ensureBuilt(): void {
  if (!existsSync(join(BUILT_WIDGET, 'widget.js'))) {
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
    if (run(vite, 'build', '--logLevel', 'warn') !== 0) {
      throw new Error('The widget could not be built. Run `npm run build` to see why.')
    }
  }
  // A missing cache costs memory and half a second at the first start, so its failure is ignored.
  if (!existsSync(COMPILE_CACHE)) run(join(import.meta.dirname, 'warm-compile-cache.ts'))
}

function run(...words: string[]): number | null {
  return spawnSync(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
    .status
}
