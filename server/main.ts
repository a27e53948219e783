import { prepareEngine } from './boot/compile-cache.ts'
import { ensureBuilt } from './boot/ensure-built.ts'

try {
  ensureBuilt()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
// A module from the compile cache takes less memory than a module that is compiled here, so this comes
// before the product is loaded.
prepareEngine()

await import('./boot/cli.ts')
