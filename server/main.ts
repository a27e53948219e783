import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { COMPILE_CACHE, ensureBuilt } from './boot/ensure-built.ts'

// Old objects are collected once they have grown by half. V8 would let them grow up to four times,
// which here is garbage for nearly all of it.
setFlagsFromString('--heap-growing-percent=50')

// A compiled module takes less memory than one that is compiled here, so all that comes before
// anything of the product is loaded.
try {
  ensureBuilt()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
enableCompileCache(COMPILE_CACHE)

await import('./boot/cli.ts')
