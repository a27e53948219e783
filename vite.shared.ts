import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** The browsers that know `light-dark()` and colors made from others. */
export const TARGET = ['chrome123', 'edge123', 'firefox128', 'safari17.5']

/** Puts a compressed copy beside every file, so that the server compresses nothing. */
export function compressed(): Plugin {
  return {
    name: 'sohbet-compressed',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const source = brotliCompressSync(file.type === 'chunk' ? file.code : file.source)
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source })
        }
      },
    },
  }
}
