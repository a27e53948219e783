/** Passages from which a site has written as much as documentation does. */
const ENOUGH_PASSAGES = 300
/** Breadth from which a site is rather documentation than a shop. */
export const MAX_SHOP_BREADTH = 0.5

/** 0–1: how much a site has written. */
export function breadthOf({ entries }: { entries: readonly unknown[] }): number {
  return Math.min(1, entries.length / ENOUGH_PASSAGES)
}

/** Whether a site is large documentation. */
export const isDocumentation = (entries: readonly unknown[]): boolean =>
  breadthOf({ entries }) >= MAX_SHOP_BREADTH
