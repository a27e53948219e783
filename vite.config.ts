import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { preact } from '@preact/preset-vite'
import { build, defineConfig, type Plugin } from 'vite'

/** The browsers that know `light-dark()` and colors made from others. */
const TARGET = ['chrome123', 'edge123', 'firefox128', 'safari17.5']

/** Vite wraps every `import()` to preload styles; here a chunk has none, and the wrapper 1 KB. */
function plainImports(): Plugin {
  return {
    name: 'sohbet-plain-imports',
    enforce: 'pre',
    load: (id) =>
      id.endsWith('vite/preload-helper.js')
        ? 'export const __vitePreload = (load) => load()'
        : undefined,
  }
}

/** The launcher as a classic script that knows the hashed names of what it loads later. */
async function buildLoader(main: string, words: Record<string, string>): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define: { MAIN: JSON.stringify(main), WORDS: JSON.stringify(words) },
    build: {
      write: false,
      target: TARGET,
      cssTarget: TARGET,
      rolldownOptions: { input: 'widget/loader.ts', output: { format: 'iife' } },
    },
  })
  if (!('output' in built)) throw new Error('The loader was not built.')
  return built.output[0].code
}

/**
 * Adds `widget.js` and the demo page. They keep their names; everything else that the build writes has
 * its hash in its name and can be cached for ever.
 */
function namedFiles(): Plugin {
  return {
    name: 'sohbet-named-files',
    async generateBundle(_options, bundle) {
      const { main = '', ...words } = Object.fromEntries(
        Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' && file.isEntry ? [[file.name, file.fileName]] : [],
        ),
      )
      const loader = await buildLoader(main, words)
      this.emitFile({ type: 'asset', fileName: 'widget.js', source: loader })

      let page = await readFile('widget/demo.html', 'utf8')
      for (const name of ['demo.css', 'demo.svg']) {
        const source = await readFile(`widget/${name}`, 'utf8')
        const file = this.emitFile({ type: 'asset', name, source })
        page = page.replace(`./${name}`, `/${this.getFileName(file)}`)
      }
      this.emitFile({ type: 'asset', fileName: 'demo.html', source: page })
    },
  }
}

/** Puts a compressed copy beside every file, so that the server compresses nothing. */
function compressed(): Plugin {
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

export default defineConfig({
  plugins: [plainImports(), preact(), namedFiles(), compressed()],
  resolve: {
    alias: {
      'preact/jsx-runtime': fileURLToPath(new URL('widget/jsx-runtime.ts', import.meta.url)),
      // The panel is drawn by one effect (`main.tsx`), so the adapter and the hooks stay out: 1.8 KB.
      '@preact/signals': '@preact/signals-core',
    },
  },
  // Chunks find each other beside themselves, wherever the widget is served.
  base: './',
  publicDir: false,
  build: {
    outDir: 'dist/widget',
    emptyOutDir: true,
    target: TARGET,
    // `light-dark()` must stay: rewritten for older browsers, the panel would be transparent.
    cssTarget: TARGET,
    modulePreload: false,
    rolldownOptions: {
      input: {
        main: 'widget/main.tsx',
        en: 'widget/locales/en.ts',
        tr: 'widget/locales/tr.ts',
      },
      // Otherwise what the contact form shares with the chat would be one more file to wait for.
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})
