import { preact } from '@preact/preset-vite'
import { defineConfig } from 'vite'
import { compressed, TARGET } from './vite.shared.ts'

/** The panel: a page and a worker; the other files have their hash in their name. */
export default defineConfig({
  root: 'panel',
  plugins: [preact(), compressed()],
  base: '/panel/',
  publicDir: false,
  build: {
    outDir: '../dist/panel',
    emptyOutDir: true,
    target: TARGET,
    cssTarget: TARGET,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The server reads in it what a page needs, and names that in a header.
    manifest: true,
    rolldownOptions: {
      // Home is in the first file on purpose, and its entry in the table of pages is like the others.
      checks: { ineffectiveDynamicImport: false },
      input: ['panel/index.html', 'panel/preview.html', 'panel/worker.ts'],
      output: {
        // A service worker keeps its address, and its folder is the part of the site that it serves.
        entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
        // The parts that every page shares load with the frame, so the size budget counts them with it.
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some((id) => id.includes('/node_modules/preact/'))
            ? 'assets/index-shared-[hash].js'
            : 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})
