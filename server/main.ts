import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { COMPILE_CACHE, ensureBuilt } from './boot/ensure-built.ts'

// V8 collects the old generation after it has grown by half. The default lets it grow up to four
// times, and nearly all of that growth is garbage here.
setFlagsFromString('--heap-growing-percent=50')

// A module from the compile cache takes less memory than a module that is compiled here, so the cache
// is enabled before the product is loaded.
try {
  ensureBuilt()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
enableCompileCache(COMPILE_CACHE)

await import('./boot/cli.ts')
