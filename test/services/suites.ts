/** What runs when nothing is chosen: faults take long, and need programs of their own. */
const USUAL = ['unit', 'integration', 'browser'] as const
const SUITES = [...USUAL, 'faults'] as const
export type Suite = (typeof SUITES)[number]

const FOLDERS: [string, Suite][] = [
  ['test/unit', 'unit'],
  ['test/quality', 'unit'],
  ['test/integration', 'integration'],
  ['test/browser', 'browser'],
  ['test/faults', 'faults'],
]

/** The parsed command line. */
export interface Choice {
  suites: Suite[]
  /** Whether every integration test runs on both databases. */
  isFull: boolean
  /** Arguments for the runners of the suites. */
  rest: string[]
}

/** Parses the command line. Suites are named, or follow from the named files; the default is all but faults. */
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
    suites: named.length > 0 ? named : [...USUAL],
    isFull: args.includes('--full'),
    rest,
  }
}
