import { isRecord, typedFrom, type InputField, type Typed } from './inputs.ts'

const DRAFT = 'sohbet.prompt.'

/** Returns what was typed for a prompt in this browser and not run yet. */
export function readDraft(promptId: string): Typed {
  try {
    return typedOf(JSON.parse(localStorage.getItem(DRAFT + promptId) ?? 'null'))
  } catch {
    return {}
  }
}

export function writeDraft(promptId: string, typed: Typed): void {
  localStorage.setItem(DRAFT + promptId, JSON.stringify(typed))
}

/** Returns what an empty form begins with. */
export function initialOf(fields: readonly InputField[]): Typed {
  return Object.fromEntries(fields.map((field) => [field.name, field.initial]))
}

/** Returns inputs as they are typed. */
export function typedOf(inputs: unknown): Typed {
  if (!isRecord(inputs)) return {}
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, typedFrom(value)]))
}
