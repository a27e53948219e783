import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/** The folder of the compile cache, which outlives the process. */
export const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node')

/**
 * Loads the modules that follow from the compile cache, and sets the growth of the heap. V8 takes a
 * compiled module only under the flags that it was compiled with, and the cache has one folder for the
 * flags of its first moment, so every process of the product does both, in this order.
 */
export function prepareEngine(): void {
  enableCompileCache(COMPILE_CACHE)
  // V8 collects the old generation after it has grown by half. The default lets it grow up to four
  // times, and nearly all of that growth is garbage here.
  setFlagsFromString('--heap-growing-percent=50')
}
