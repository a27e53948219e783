import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  entry: [
    'server/main.ts!',
    // They add their rows to the type of the database, and nothing else needs to import them.
    'server/*/tables.ts!',
    'widget/loader.ts!',
    'widget/main.tsx!',
    'bench/*.ts',
    'test/run.ts',
    'test/**/*.test.{ts,tsx}',
  ],
  project: ['server/**/*.ts!', 'widget/**/*.{ts,tsx}!', 'bench/**/*.ts', 'test/**/*.{ts,tsx}'],
  // What a file uses itself and also offers is not dead: limits, schemas and their types.
  ignoreExportsUsedInFile: true,
  // The Node that runs everything; no file imports it.
  ignoreDependencies: ['node'],
  // Part of Debian, not of a package.
  ignoreBinaries: ['apt-get'],
}

export default config
