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

// One state for the whole page: an effect cannot know beforehand which signals it reads.
const now: { reader?: Run | undefined; depth: number; due: Set<Run> } = { depth: 0, due: new Set() }

/** A value that notifies the effects that read it when it changes. */
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

/** Changes several signals as one: their effects run once, afterwards, in order of first reading. */
export function batch<Result>(change: () => Result): Result {
  now.depth++
  try {
    return change()
  } finally {
    // Effects may change signals too: the effects of those run last in the same round.
    if (now.depth === 1)
      for (const each of now.due) {
        now.due.delete(each)
        each()
      }
    now.depth--
  }
}

/**
 * Runs `act` at once and again after each change of a signal that it ever read. The function that
 * `act` returns runs before its next run. Returns the function that ends the effect.
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
      // A failing effect must not keep the others from running.
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
