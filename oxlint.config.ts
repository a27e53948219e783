import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defineConfig } from 'oxlint'
import { isGranted, SERVER, SERVER_FOLDERS } from './import-map.ts'

/** The tables that start everything: they import every folder, and nothing imports them. */
const STARTING_FILES = [
  'main',
  'server',
  'app',
  'reactions',
  'collectors',
  'schedule',
  'chat-tools',
]

type Pattern = { message: string; allowTypeImports?: boolean } & (
  | { group: string[] }
  | { regex: string }
)
type Restriction = ['error', { patterns: Pattern[] }]

/**
 * The imports that a folder of the server may not make. Imports are relative, so the specifier of each
 * file of another folder is known: the restriction lists the files that the map does not grant.
 */
function restrictionOf(folder: string): Restriction {
  const forbidden = SERVER_FOLDERS.filter((other) => !isGranted(folder, other)).flatMap((other) =>
    readdirSync(join(SERVER, other))
      .filter((file) => file.endsWith('.ts') && file !== 'schema.ts')
      .map((file) => RegExp.escape(join(relative(folder, other), file))),
  )
  const patterns = [
    {
      regex: `^(?:${forbidden.join('|')})$`,
      message: `server/${folder} may not import this folder. See import-map.ts.`,
    },
    // The command line starts the server.
    ...(folder === 'boot' ? [] : [startingFilesFrom(folder)]),
    {
      group: ['**/widget/**', '**/panel/**', '**/test/**', '**/bench/**'],
      message: 'The server imports nothing from outside server/.',
    },
  ]
  return ['error', { patterns }]
}

/** A folder may have a `schedule.ts` of its own, so only specifiers that lead to `server/` count. */
function startingFilesFrom(folder: string): Pattern {
  const up = folder.split('/').length
  return {
    regex: String.raw`^(?:\.\./){${up}}(?:${STARTING_FILES.join('|')})\.ts$`,
    message: 'Nothing imports the files that start everything: emit an event instead.',
  }
}

const PANEL_RESTRICTION: Restriction = [
  'error',
  {
    patterns: [
      {
        regex: String.raw`/server/.+/schema\.ts$`,
        allowTypeImports: true,
        message: 'The panel may import only types from the server.',
      },
      {
        group: ['**/server/**', '!**/server/**/schema.ts'],
        message: 'The panel knows the server by the types of its schema.ts files only.',
      },
      {
        group: ['**/widget/**', '**/test/**', '**/bench/**'],
        message: 'The panel and the widget import nothing from each other.',
      },
    ],
  },
]

const CLIENT_RESTRICTION: Restriction = [
  'error',
  {
    patterns: [
      {
        regex: String.raw`/server/.+/schema\.ts$`,
        allowTypeImports: true,
        message: 'The client may take only types from the server; its build writes them out.',
      },
      {
        group: ['**/server/**', '!**/server/**/schema.ts', '**/widget/**', '**/panel/**'],
        message: 'The client is a package of its own and stands alone.',
      },
    ],
  },
]

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
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    // Past 300 lines, look for a second noun. `test/unit/structure.test.ts` refuses 450.
    'max-lines': ['warn', { max: 300, skipBlankLines: true, skipComments: true }],
    'no-console': 'error',
    // Unfinished work, and words that the style of comments avoids.
    'no-warning-comments': [
      'error',
      { terms: ['anew', 'meanwhile', 'whoever', 'todo', 'fixme'], location: 'anywhere' },
    ],
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
    // A feature of one database is tested on that database only, not skipped on the other.
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
    ...SERVER_FOLDERS.map((folder) => ({
      files: [`server/${folder}/*.ts`],
      rules: { 'eslint/no-restricted-imports': restrictionOf(folder) },
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
    { files: ['client/src/**'], rules: { 'eslint/no-restricted-imports': CLIENT_RESTRICTION } },
    { files: ['panel/**'], rules: { 'eslint/no-restricted-imports': PANEL_RESTRICTION } },
    {
      files: ['panel/**'],
      rules: {
        // Stores and models are objects of closures here: their verbs have no `this` to lose.
        'typescript/unbound-method': 'off',
        'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
        // Labels arrive as properties, where the rule does not see them; axe does.
        'jsx-a11y/control-has-associated-label': 'off',
        // The cells of a table are functions that it calls, never components.
        'react/no-unstable-nested-components': 'off',
        // Tabs speak by a BroadcastChannel, which knows no target.
        'unicorn/require-post-message-target-origin': 'off',
      },
    },
    // Tools read their configuration from the default export.
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    // These talk to a terminal: printing is what they are for.
    {
      files: ['test/run.ts', 'test/services/**', 'test/faults/**', 'bench/**'],
      rules: { 'no-console': 'off' },
    },
  ],
})
