/** Preloaded into a process: on SIGUSR2 it collects its garbage, so that the heap is what is in use. */
process.on('SIGUSR2', () => void globalThis.gc?.())
