import type { Diagnosis, FINDING_NAMES, Finding } from './schema.ts'

type FindingName = (typeof FINDING_NAMES)[number]

/** A finding that needs nobody. */
export function fine(name: FindingName, detail: string): Finding {
  return { name, state: 'ok', detail, remedy: null }
}

/** A finding that a person should look at, though the product works. */
export function warning(name: FindingName, detail: string, remedy: string): Finding {
  return { name, state: 'warning', detail, remedy }
}

/** A finding that keeps the product, or a part of it, from working. */
export function defect(name: FindingName, detail: string, remedy: string): Finding {
  return { name, state: 'error', detail, remedy }
}

/** Sums up findings: the worst state counts. */
export function diagnose(findings: readonly Finding[]): Diagnosis {
  const states = new Set(findings.map(({ state }) => state))
  const worst = (['error', 'warning'] as const).find((state) => states.has(state))
  return { state: worst ?? 'ok', findings: [...findings] }
}

/** Returns the reason of a failure in one line, without an address or a password in it. */
export function reasonOf(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error
  if (!(inner instanceof Error)) return String(inner)
  const { cause } = inner
  const at = cause instanceof Error ? cause : inner
  const code = 'code' in at && typeof at.code === 'string' ? at.code : undefined
  const [line = ''] = (at.message || code || at.name).split('\n')
  return code === undefined || line.includes(code) ? line : `${line} (${code})`
}
