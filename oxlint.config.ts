import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'oxlint'

/**
 * Who may import whom: each folder under `server/` lists the folders it may reach, and what is left
 * out is forbidden; `folder/file` is one file of it. Any folder may take another's `schema.ts`, and
 * the kernel: `events/` and the files directly under `server/` that start nothing (`context.ts`,
 * `events.ts`, `config.ts`). A folder that is missing here may import no other folder until it gets
 * its line.
 */
const MAY_IMPORT: Record<string, string> = {
  lib: '',
  events: '',
  http: 'lib',
  storage: 'lib',
  // Work in flight, and transactions that travel together.
  runtime: 'lib http',
  jobs: 'lib storage pubsub',
  pubsub: 'lib',
  // (Its own folder http/ has the name of a slice.)
  models: 'lib http',
  locales: '',
  platform: 'lib http storage pubsub jobs models locales',
  credits: 'lib http storage jobs models platform',
  delivery: 'lib http storage pubsub models platform',
  live: 'lib http storage pubsub models platform',
  analytics: 'lib http storage models platform credits chat',
  prompts: 'lib http storage runtime jobs models platform credits',
  // Pages of customers' sites are fetched through the same guard as webhooks are sent.
  knowledge: 'lib http storage jobs models platform credits delivery/connector delivery/target',
  rules: 'lib http storage models platform delivery',
  workspace: 'lib http storage models platform delivery',
  subscriptions: 'lib http storage models locales platform delivery',
  chat: 'lib http storage runtime jobs models platform locales live credits prompts knowledge',
  leads: 'lib http storage models platform credits chat',
  inbox: 'lib http storage models platform live chat leads',
  appointments: 'lib http storage models platform credits chat locales',
  privacy: 'lib http storage models platform chat leads inbox appointments',
  integrations:
    'lib http storage jobs models platform locales credits delivery rules subscriptions chat leads',
  'dev-hooks': 'lib http storage platform delivery locales',
  plain: 'lib http storage models platform locales chat leads',
  demo: 'http lib storage platform credits knowledge chat',
}
const slices = readdirSync(join(import.meta.dirname, 'server'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

/** The start and the three tables: they know every folder, and no folder knows them. */
const STARTING_FILES = [
  'main',
  'launch',
  'start',
  'app',
  'reactions',
  'collectors',
  'schedule',
  'tools',
]

type Pattern = { message: string; allowTypeImports?: boolean } & (
  | { group: string[] }
  | { regex: string }
)
type Restriction = ['error', { patterns: Pattern[] }]

/** The imports that a folder of the server may not make; `schema.ts` files are open to all. */
function restrictionOf(slice: string): Restriction {
  const allowed = new Set([slice, ...(MAY_IMPORT[slice] ?? '').split(' ')])
  const files = [...allowed].filter((name) => name.includes('/'))
  const forbidden = slices.filter((other) => !allowed.has(other) && other !== 'events')
  const patterns = [
    {
      group: [
        ...forbidden.flatMap((other) => [`**/${other}/**`, `!**/${other}/schema.ts`]),
        ...files.map((file) => `!**/${file}.ts`),
      ],
      message: `server/${slice} may not import this folder. See MAY_IMPORT in oxlint.config.ts.`,
    },
    {
      // By the way up: a folder may have a `schedule.ts` of its own.
      regex: String.raw`^(?:\.\./)+(?:${STARTING_FILES.join('|')})\.ts$`,
      message: 'Nothing imports the files that start everything: emit an event instead.',
    },
    {
      group: ['**/widget/**', '**/panel/**', '**/test/**', '**/bench/**'],
      message: 'The server imports nothing from outside server/.',
    },
  ]
  return ['error', { patterns }]
}

const WIDGET_RESTRICTION: Restriction = [
  'error',
  {
    patterns: [
      {
        regex: String.raw`/server/[^/]+/schema\.ts$`,
        allowTypeImports: true,
        message: 'The widget may import only types from the server.',
      },
      {
        group: ['**/server/**', '!**/server/*/schema.ts'],
        message: 'The widget knows the server by the types of its schema.ts files only.',
      },
      {
        group: ['**/panel/**', '**/test/**', '**/bench/**'],
        message: 'The widget stands alone: every byte here is paid by every visitor.',
      },
    ],
  },
]

export default defineConfig({
  plugins: [
    ...(['typescript', 'import', 'unicorn', 'oxc', 'promise', 'node'] as const),
    ...(['react', 'jsx-a11y', 'vitest'] as const),
  ],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist/**', 'data/**'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    'no-console': 'error',
    // `typeof import('…')` types what is loaded later, and loads nothing itself.
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': [
      'error',
      {
        checkThenables: true,
        // A reply can be awaited until it is sent; setting a header on it needs no waiting.
        allowForKnownSafePromises: [{ from: 'package', package: 'fastify', name: 'FastifyReply' }],
      },
    ],
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],

    // Stricter above: no assertion at all, except `as const`.
    'typescript/no-unsafe-type-assertion': 'off',
    // Signals change in place by design, and its JSX needs no import in scope.
    'react/immutability': 'off',
    'react/react-in-jsx-scope': 'off',
    // It takes signals and the models that hold them for values that change; they never do.
    'react/exhaustive-deps': 'off',
    // Our dialog is not modal, our groups are no fieldsets: the native tags mean something else.
    'jsx-a11y/prefer-tag-over-role': 'off',
    // A list that scrolls has to take the focus, or the keyboard cannot scroll it.
    'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['log', 'tabpanel'], tags: [] }],
    // The contract counts lengths in code points, which is what spreading a string gives.
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],
    // Packages in CommonJS (pg, better-sqlite3) are meant to be used by their default import.
    'import/no-named-as-default-member': 'off',
    // Vitest takes a message beside the value.
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    // What only one of the two databases can do is tested on that one, not skipped on the other.
    'vitest/no-conditional-tests': 'off',
    // About Express, which loses what an async handler throws; Fastify does not.
    'oxc/no-async-endpoint-handlers': 'off',
    // Stores of rate limits and parsers of bodies are asked by callback and answer from promises.
    'promise/no-callback-in-promise': 'off',
    'promise/always-return': ['error', { ignoreLastCallback: true }],
    // The compiler knows which paths return; a bare return beside a promise of void is fine.
    'typescript/consistent-return': 'off',
    // Order matters in most of our loops: attempts, migrations, chunks of a stream.
    'eslint/no-await-in-loop': 'off',
    // A spread per element is how a row becomes an answer; nothing here maps more than a page.
    'oxc/no-map-spread': 'off',
    // A small function beside its only use reads better than one at the top of the file.
    'unicorn/consistent-function-scoping': 'off',
  },
  overrides: [
    {
      files: ['server/**'],
      rules: {
        'node/no-process-env': 'error',
        'eslint/no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'Time comes from ctx.now().' },
          { object: 'Math', property: 'random', message: 'Ids and tokens come from node:crypto.' },
        ],
      },
    },
    // The only places that touch the world: settings, and the clock that tests replace.
    { files: ['server/config.ts'], rules: { 'node/no-process-env': 'off' } },
    // (Ids begin with the machine's time only to lie together in an index.)
    {
      files: ['server/lib/clock.ts', 'server/lib/ids.ts'],
      rules: { 'eslint/no-restricted-properties': 'off' },
    },
    ...slices.map((slice) => ({
      files: [`server/${slice}/**`],
      rules: { 'eslint/no-restricted-imports': restrictionOf(slice) },
    })),
    { files: ['widget/**'], rules: { 'eslint/no-restricted-imports': WIDGET_RESTRICTION } },
    {
      files: ['widget/**'],
      rules: {
        // On somebody else's page the console is the only place for a word to its developer.
        'no-console': ['error', { allow: ['warn', 'error'] }],
        // `onclick` is the shorter word, on a button that nobody else knows.
        'unicorn/prefer-add-event-listener': 'off',
        // Stores and models are objects of closures here: their verbs have no `this` to lose.
        'typescript/unbound-method': 'off',
      },
    },
    // Tools read their configuration from the default export.
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    // These two talk to a terminal: printing is what they are for.
    { files: ['test/run.ts', 'test/services/**', 'bench/**'], rules: { 'no-console': 'off' } },
  ],
})
