import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { preact } from '@preact/preset-vite'
import { build, defineConfig, type Plugin } from 'vite'
import { compressed, TARGET } from './vite.shared.ts'
import { LOCALES } from './widget/locales/registry.ts'

/** Widgets whose calls ours understands. */
const ADAPTERS = ['intercom', 'crisp', 'chatwoot', 'tawk', 'zendesk']

/** Vite wraps every `import()` to preload styles; here a chunk has none, and the wrapping 1 KB. */
function plainImports(): Plugin {
  const wrapping = 'native:import-analysis-build'
  return {
    name: 'sohbet-plain-imports',
    configResolved(config) {
      const plugins = config.plugins.filter(({ name }) => name !== wrapping)
      if (plugins.length === config.plugins.length)
        throw new Error(
          `Vite has no plugin ${wrapping}, whose name may have changed: look it up in config.plugins.`,
        )
      Object.assign(config, { plugins })
    },
  }
}

/** A classic script with the launcher in it, which knows the folder of what it loads later. */
async function buildLoader(folder: string, input = 'widget/loader/entry.ts'): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define: { FOLDER: JSON.stringify(folder), LOCALE_TAGS: JSON.stringify(LOCALES.join('|')) },
    build: {
      // Otherwise `import()` is wrapped.
      ssr: true,
      minify: true,
      write: false,
      target: TARGET,
      cssTarget: TARGET,
      rolldownOptions: { input, output: { format: 'iife' } },
    },
  })
  if (!('output' in built)) throw new Error('The loader was not built.')
  // The minifier leaves: spaces in arguments of CSS functions, the highest number that
  // browsers know in its own digits, the text of an address that `import()` makes itself, and a
  // function that is called once.
  return built.output[0].code
    .replaceAll(/(?<=[a-z)]), (?=var|current)/g, ',')
    .replace('calc(6000 - l * 99)', 'calc(6e3 - l*99)')
    .replace('2147483647', '9999999999')
    .replace('.src).href)', '.src))')
    .replace(
      /^\(function\(\)\{function e\(e\)(\{.*\})e\(document\.currentScript\)\}\)\(\)/s,
      '(e=>$1)(document.currentScript)',
    )
}

/**
 * Has Chromium compile all functions of the chat as they are loaded, aside from the main thread: the
 * first click would wait for each of them.
 */
const COMPILE_EAGERLY = '//# allFunctionsCalledOnLoad\n'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6)

/**
 * Adds `widget.js`, the same with its hash in its name for pages that pin it, and the demo page. All
 * that the loader brings later lies in one folder with the hash of all of it in its name: the loader
 * needs to know only that, and everything in it can be cached for ever.
 */
function namedFiles(): Plugin {
  return {
    name: 'sohbet-named-files',
    generateBundle: {
      // When everything else has written what belongs into the files.
      order: 'post',
      async handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const folder = `${hashOf(chunks.map(({ code }) => code).join(''))}/`
        for (const { fileName, code, name } of chunks) {
          delete bundle[fileName]
          const source = name === 'main' ? COMPILE_EAGERLY + code : code
          this.emitFile({ type: 'asset', fileName: `assets/${folder}${fileName}`, source })
        }
        const loader = await buildLoader(`assets/${folder}`)
        this.emitFile({ type: 'asset', fileName: 'widget.js', source: loader })
        // The same loaders beside what they load, where they never change.
        const pin = async (name: string, input?: string) => {
          const source = await buildLoader(folder, input)
          const fileName = `assets/${name}-${hashOf(source)}.js`
          this.emitFile({ type: 'asset', fileName, source })
          const integrity = `sha384-${createHash('sha384').update(source).digest('base64')}`
          return { path: `/${fileName}`, integrity }
        }
        const adapters: Record<string, Awaited<ReturnType<typeof pin>>> = {}
        for (const name of ADAPTERS) {
          const input = `widget/adapters/${name}.ts`
          const source = await buildLoader(`../assets/${folder}`, input)
          this.emitFile({ type: 'asset', fileName: `adapters/${name}.js`, source })
          adapters[name] = await pin(`widget-${name}`, input)
        }
        const pins = JSON.stringify({ ...(await pin('widget')), adapters })
        this.emitFile({ type: 'asset', fileName: 'widget.json', source: pins })
        const types = await readFile('widget/widget.d.ts', 'utf8')
        this.emitFile({ type: 'asset', fileName: 'widget.d.ts', source: types })

        let page = await readFile('widget/demo/demo.html', 'utf8')
        for (const name of ['demo.css', 'demo.svg']) {
          const source = await readFile(`widget/demo/${name}`, 'utf8')
          const file = this.emitFile({ type: 'asset', name, source })
          page = page.replace(`./${name}`, `/${this.getFileName(file)}`)
        }
        this.emitFile({ type: 'asset', fileName: 'demo.html', source: page })
      },
    },
  }
}

export default defineConfig({
  plugins: [plainImports(), preact(), namedFiles(), compressed()],
  resolve: {
    alias: {
      'preact/jsx-runtime': fileURLToPath(
        new URL('widget/runtime/jsx-runtime.ts', import.meta.url),
      ),
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
        page: 'widget/page/page-features.ts',
        ...Object.fromEntries(
          LOCALES.flatMap((locale) => [
            [locale, `widget/locales/${locale}.ts`],
            [`${locale}-lazy`, `widget/locales/${locale}.lazy.ts`],
          ]),
        ),
      },
      // Otherwise what the contact form shares with the chat would be one more file to wait for.
      preserveEntrySignatures: 'allow-extension',
      output: {
        // `namedFiles` moves them into a folder that has their hash.
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})
