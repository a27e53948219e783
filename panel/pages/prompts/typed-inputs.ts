import type { Typed } from './inputs.ts'

const DRAFT = 'sohbet.prompt.'
const RUNS = 'sohbet.runs'
/** The server keeps no inputs, so the last ones stay in this browser, to run them again. */
const MAX_RUNS = 20

type Remembered = [runId: string, typed: Typed][]

export function readDraft(promptId: string): Typed | undefined {
  return parse<Typed>(localStorage.getItem(DRAFT + promptId))
}

export function writeDraft(promptId: string, typed: Typed): void {
  localStorage.setItem(DRAFT + promptId, JSON.stringify(typed))
}

/** Returns what was typed for a run, if it was typed in this browser lately. */
export function findTyped(runId: string): Typed | undefined {
  return readRuns().find(([id]) => id === runId)?.[1]
}

export function rememberTyped(runId: string, typed: Typed): void {
  const kept: Remembered = [[runId, typed], ...readRuns().slice(0, MAX_RUNS - 1)]
  localStorage.setItem(RUNS, JSON.stringify(kept))
}

function readRuns(): Remembered {
  return parse<Remembered>(localStorage.getItem(RUNS)) ?? []
}

function parse<Value>(text: string | null): Value | undefined {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
