import { enableCompileCache } from 'node:module'
import { COMPILE_CACHE, prepare } from './build.ts'

// A compiled module takes less memory than one that is compiled here, so all that comes before
// anything of the product is loaded.
try {
  prepare()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
enableCompileCache(COMPILE_CACHE)

await import('./launch.ts')
