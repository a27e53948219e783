import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  entry: [
    // Preloaded by its path.
    'test/faults/collect-garbage.ts',
    // Started by a unit of systemd.
    'test/faults/unit-probe.ts',
    // Loaded by name, once everything that comes before it is done.
    'server/boot/cli.ts!',
    // Started as a thread, by its address.
    'server/knowledge/parsers/worker.ts!',
    // They add their rows to the type of the database, and nothing else needs to import them.
    'server/**/tables.ts!',
    'widget/loader/entry.ts!',
    'widget/adapters/*.ts!',
    // Chunks of the build, named by the registry beside them.
    'widget/locales/*.ts!',
    // Named by a page that is no module.
    'panel/preview/preview.ts!',
    // The entry of the service worker.
    'panel/worker.ts!',
    // The entries of the package `sohbet`.
    'client/src/{index,react}.ts!',
    'bench/**/*.ts',
    'test/**/*.test.{ts,tsx}',
    // Started as processes of their own, to be stopped or killed.
    'test/integration/delivery/{crash,kill,pause}-target.ts',
    // Loaded before a tool, by its address.
    'test/helpers/older-typescript.ts',
  ],
  project: [
    'server/**/*.ts!',
    'widget/**/*.{ts,tsx}!',
    'panel/**/*.{ts,tsx}!',
    'client/src/**/*.ts!',
    '{bench,integrations,tools}/**/*.ts',
    'test/**/*.{ts,tsx}',
  ],
  // An export that its own file uses is not dead: limits, schemas and their types.
  ignoreExportsUsedInFile: true,
  // pino loads its pretty printer by name, for a terminal: no file imports it.
  // Nor the makers of the typed client, which a test starts as an integrator would.
  // React comes with the page that uses the client's component.
  // Our own command line, which a dependency alone puts where `npx` finds it without a folder to write.
  ignoreDependencies: [
    'pino-pretty',
    'openapi-fetch',
    'openapi-typescript',
    'typescript-5',
    'react',
    'sohbet-tools',
  ],
  // Part of Debian, not of a package.
  ignoreBinaries: ['apt-get', 'chrt', 'mount', 'umount', 'unshare'],
}

export default config
