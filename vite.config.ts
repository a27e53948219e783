import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { preact } from '@preact/preset-vite'
import { build, defineConfig, type Plugin } from 'vite'

const TARGET = ['chrome123', 'edge123', 'firefox121', 'safari17.5']

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

/**
 * Adds `widget.js`, a classic script that knows the hashed names of what it loads later, and the demo
 * page. Everything else that the build writes can be cached for ever.
 */
function loader(): Plugin {
  return {
    name: 'sohbet-loader',
    async generateBundle(_options, bundle) {
      const { main, ...words } = Object.fromEntries(
        Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' && file.isEntry ? [[file.name, file.fileName]] : [],
        ),
      )
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
      this.emitFile({ type: 'asset', fileName: 'widget.js', source: built.output[0].code })

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

export default defineConfig({
  plugins: [plainImports(), preact(), loader()],
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
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})
