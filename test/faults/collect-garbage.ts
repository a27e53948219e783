/**
 * Preloaded into a process: on SIGWINCH, which the product has no use for, it collects its garbage, so that
 * the heap is what is in use.
 */
process.on('SIGWINCH', () => globalThis.gc?.())
