import { enableCompileCache } from 'node:module'
import { COMPILE_CACHE } from './build.ts'

// Loads everything once and ends: the compiled modules stay for every process after it.
enableCompileCache(COMPILE_CACHE)
await import('./start.ts')
