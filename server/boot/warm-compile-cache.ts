import { prepareEngine } from './compile-cache.ts'

// Loads every module once and exits: later processes find the compiled modules in the cache.
prepareEngine()
await import('../server.ts')
