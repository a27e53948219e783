/** The suites that run by default. */
const DEFAULT_SUITES = ['unit', 'integration', 'browser'] as const
/**
 * Suites that run only where they are named: `interop` installs other people's tools from the
 * registry, `faults` takes long and needs programs of its own.
 */
const SUITES = [...DEFAULT_SUITES, 'interop', 'faults'] as const
export type Suite = (typeof SUITES)[number]

const FOLDERS: [string, Suite][] = [
  ['test/unit', 'unit'],
  ['test/quality', 'unit'],
  ['test/integration', 'integration'],
  ['test/browser', 'browser'],
  ['test/faults', 'faults'],
  ['test/interop', 'interop'],
]

/** The parsed command line. */
export interface Choice {
  suites: Suite[]
  /** Whether every integration test runs on both databases. */
  isFull: boolean
  /** Arguments for the runners of the suites. */
  rest: string[]
}

/** Parses the command line. Suites are named, or follow from the named files; the default is
 * all but `interop` and `faults`. */
export function chooseSuites(args: string[]): Choice {
  const isSuite = (arg: string) => SUITES.some((suite) => suite === arg)
  const rest = args.filter((arg) => !isSuite(arg) && arg !== '--full')
  const named = SUITES.filter(
    (suite) =>
      args.includes(suite) ||
      rest.some((arg) =>
        FOLDERS.some(([folder, of]) => of === suite && arg.replace('./', '').startsWith(folder)),
      ),
  )
  return {
    suites: named.length > 0 ? named : [...DEFAULT_SUITES],
    isFull: args.includes('--full'),
    rest,
  }
}
