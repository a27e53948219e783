import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const STARTS_PROCESSES = /helpers\/(?:process|servers\/proxy)\.ts|node:child_process/

/**
 * Runs the files that start processes first: they are idle half of the time, and a late one would leave
 * the other workers idle.
 */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) =>
      STARTS_PROCESSES.test(readFileSync(moduleId, 'utf8'))
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    const sorted = await super.sort(files)
    const { first = [], rest = [] } = Object.groupBy(sorted, (file) =>
      isFirst(file) ? 'first' : 'rest',
    )
    return [...first, ...rest]
  }
}
