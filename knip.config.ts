import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  entry: [
    'server/main.ts!',
    'widget/loader.ts!',
    'widget/main.tsx!',
    'bench/*.ts',
    'test/run.ts',
    'test/**/*.test.{ts,tsx}',
  ],
  project: ['server/**/*.ts!', 'widget/**/*.{ts,tsx}!', 'bench/**/*.ts', 'test/**/*.{ts,tsx}'],
  // `node` is the Node that runs everything, and Debian's browser and databases are no packages.
  ignoreDependencies: ['node'],
}

export default config
