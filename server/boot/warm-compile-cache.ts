import { enableCompileCache } from 'node:module'
import { COMPILE_CACHE } from './ensure-built.ts'

// Loads every module once and exits: later processes find the compiled modules in the cache.
enableCompileCache(COMPILE_CACHE)
await import('../server.ts')
