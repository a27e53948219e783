import { isRecord, typedFrom, type Typed } from './inputs.ts'

const DRAFT = 'sohbet.prompt.'
const RUNS = 'sohbet.runs'
/** The server keeps no inputs, so the last ones stay in this browser, to run them again. */
const MAX_RUNS = 20

interface Remembered {
  runId: string
  typed: Typed
}

export function readDraft(promptId: string): Typed | undefined {
  return toTyped(read(DRAFT + promptId))
}

export function writeDraft(promptId: string, typed: Typed): void {
  localStorage.setItem(DRAFT + promptId, JSON.stringify(typed))
}

/** Returns what was typed for a run, if it was typed in this browser lately. */
export function findTyped(runId: string): Typed | undefined {
  return readRuns().find((run) => run.runId === runId)?.typed
}

export function rememberTyped(runId: string, typed: Typed): void {
  const kept: Remembered[] = [{ runId, typed }, ...readRuns().slice(0, MAX_RUNS - 1)]
  localStorage.setItem(RUNS, JSON.stringify(kept))
}

function readRuns(): Remembered[] {
  const stored = read(RUNS)
  if (!Array.isArray(stored)) return []
  return stored.flatMap((run: unknown) => {
    if (!isRecord(run) || typeof run['runId'] !== 'string') return []
    return [{ runId: run['runId'], typed: toTyped(run['typed']) ?? {} }]
  })
}

function toTyped(value: unknown): Typed | undefined {
  if (!isRecord(value)) return undefined
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, typedFrom(text)]))
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
