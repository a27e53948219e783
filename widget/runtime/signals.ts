/** A value whose readers can follow it. */
export interface ReadonlySignal<Value> {
  /** Read inside an effect, it makes that effect run again whenever the value changes. */
  readonly value: Value
  /** The value, without following it. */
  peek(): Value
}

export interface Signal<Value> extends ReadonlySignal<Value> {
  value: Value
}

type Run = () => void

// Who reads and who waits is one for the whole page: an effect cannot know beforehand what it reads.
const now: { reader?: Run | undefined; depth: number; due: Set<Run> } = { depth: 0, due: new Set() }

/** A value that tells the effects that read it when it changes. */
export function signal<Value>(value: Value): Signal<Value> {
  const readers = new Set<Run>()
  return {
    peek: () => value,
    get value() {
      if (now.reader) readers.add(now.reader)
      return value
    },
    set value(next) {
      if (next === value) return
      value = next
      batch(() => {
        for (const each of readers) now.due.add(each)
      })
    },
  }
}

/** Changes several signals as one: what follows them runs once, afterwards, in order of first reading. */
export function batch<Result>(change: () => Result): Result {
  now.depth++
  try {
    return change()
  } finally {
    // What runs may change signals too: those who follow come last in the same round.
    if (now.depth === 1)
      for (const each of now.due) {
        now.due.delete(each)
        each()
      }
    now.depth--
  }
}

/**
 * Runs `act` at once and again after each change of a signal that it ever read. What it returns runs
 * before the next time. Returns what ends it.
 */
export function effect(act: () => void | Run): Run {
  let cleanUp: void | Run
  let isOver = false
  const run = (): void => {
    const { reader } = now
    cleanUp?.()
    cleanUp = undefined
    if (isOver) return
    now.reader = run
    try {
      cleanUp = act()
    } catch (error) {
      // One that fails must not keep the others from what they follow.
      reportError(error)
    } finally {
      now.reader = reader
    }
  }
  batch(run)
  return () => {
    isOver = true
    run()
  }
}
