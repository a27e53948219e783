import { preact } from '@preact/preset-vite'
import { defineConfig } from 'vite'
import { compressed, TARGET } from './vite.shared.ts'

/** The panel: one page whose files have their hash in their name, below `/panel/assets/`. */
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
    rolldownOptions: {
      input: ['panel/index.html', 'panel/preview.html'],
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})
