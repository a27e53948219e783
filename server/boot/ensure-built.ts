import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { COMPILE_CACHE } from './compile-cache.ts'
import { BUILT_PANEL, BUILT_WIDGET } from '../lib/built-files.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Builds the widget and the panel and fills the compile cache, unless they exist. Loads no module of the product.
 * Idempotent. Throws when the build fails.
 */
export function ensureBuilt(): void {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const missing = [
    ...(existsSync(join(BUILT_WIDGET, 'widget.js')) ? [] : [[]]),
    ...(existsSync(join(BUILT_PANEL, 'index.html')) ? [] : [['--config', 'vite.panel.config.ts']]),
  ]
  for (const options of missing) {
    if (run(vite, 'build', '--logLevel', 'warn', ...options) !== 0) {
      throw new Error(
        'The widget and the panel could not be built. Run `npm run build` to see why.',
      )
    }
  }
  // A missing cache costs memory and half a second at the first start, so its failure is ignored.
  if (!existsSync(COMPILE_CACHE)) run(join(import.meta.dirname, 'warm-compile-cache.ts'))
}

function run(...words: string[]): number | null {
  return spawnSync(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
    .status
}
