#!/usr/bin/env node
import { prepareEngine } from '../server/boot/compile-cache.ts'

// A command would compile the modules of the product for longer than it works.
prepareEngine()

await import('./command-line.ts')
