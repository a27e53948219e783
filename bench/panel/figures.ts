import type { Browser, BrowserContext } from '@playwright/test'
import { type Figure, stored } from '../report/figure.ts'

/** A running product with a browser, as the parts of the benchmark share it. */
export interface PanelBench {
  browser: Browser
  url: string
  /** The owner's. */
  token: string
  tenant: string
  /** A browser context with an empty cache in which the owner is signed in. */
  signIn(): Promise<BrowserContext>
}

/** Returns the value below which that share of the values is, rounded. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const at = Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))
  return Math.round(sorted[at] ?? 0)
}

/** Returns a figure of which less is better. */
export function lower(
  id: string,
  label: string,
  value: number,
  unit: string,
  bound?: number,
): Figure {
  return {
    id,
    label,
    value: stored(value),
    unit,
    better: 'lower',
    ...(bound === undefined ? {} : { target: { of: 'value', bound } }),
  }
}

/** Prints one line of the table. */
export function print(what: string, result: string): void {
  console.log(`${what.padEnd(64)} ${result}`)
}
