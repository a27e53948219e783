export const SUITES = ['unit', 'integration', 'browser'] as const
export type Suite = (typeof SUITES)[number]

const FOLDERS: [string, Suite][] = [
  ['test/unit', 'unit'],
  ['test/quality', 'unit'],
  ['test/integration', 'integration'],
  ['test/browser', 'browser'],
]

/**
 * Splits the command line into the suites to run and what is handed to their runners. Suites are
 * named, or follow from the files that are named, or are all.
 */
export function chooseSuites(args: string[]): { suites: Suite[]; rest: string[] } {
  const isSuite = (arg: string) => SUITES.some((suite) => suite === arg)
  const rest = args.filter((arg) => !isSuite(arg))
  const named = SUITES.filter(
    (suite) =>
      args.includes(suite) ||
      rest.some((arg) =>
        FOLDERS.some(([folder, of]) => of === suite && arg.replace('./', '').startsWith(folder)),
      ),
  )
  return { suites: named.length > 0 ? named : [...SUITES], rest }
}
