import { enableCompileCache } from 'node:module'
import { COMPILE_CACHE } from './ensure-built.ts'

// Loads everything once and ends: the compiled modules stay for every process after it.
enableCompileCache(COMPILE_CACHE)
await import('../server.ts')
