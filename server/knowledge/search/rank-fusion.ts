import { type CitedPassage, isCited, shareOfCited } from './hit.ts'

/** Damps the lead of the first ranks (Cormack et al., "Reciprocal Rank Fusion", SIGIR 2009). */
const RANK_OFFSET = 60
/** Ranks beyond this one of each list count nothing. */
const MAX_RANKS = 50
/** Passages that the reply before cites, beside the best ones. */
const MAX_CITED = 3

/** A passage by its number in the index. */
export interface RankedPassage {
  at: number
  score: number
}

/** Ranks passages by their scores and gains, which are shares of the best score; a gain alone ranks a passage too. */
export function addGains(
  ranked: readonly RankedPassage[],
  gains: Iterable<readonly [at: number, share: number]>,
): readonly RankedPassage[] {
  const max = ranked[0]?.score ?? 1
  const scores = new Map(ranked.map(({ at, score }) => [at, score]))
  for (const [at, share] of gains) scores.set(at, (scores.get(at) ?? 0) + max * share)
  const all = [...scores].map(([at, score]) => ({ at, score }))
  return all.toSorted((a, b) => b.score - a.score || a.at - b.at)
}

/**
 * Fuses the ranks of the lexical search with those of the vectors, best first. Scores keep the range
 * of the lexical ones, in the new order.
 */
export function fuseRanks(
  lexical: readonly RankedPassage[],
  nearest: readonly number[],
): RankedPassage[] {
  const sums = new Map<number, number>()
  const addAll = (places: readonly number[]): void => {
    for (const [rank, at] of places.slice(0, MAX_RANKS).entries()) {
      sums.set(at, (sums.get(at) ?? 0) + 1 / (RANK_OFFSET + rank + 1))
    }
  }
  addAll(lexical.map(({ at }) => at))
  addAll(nearest)
  const fused = [...sums].toSorted(([a, one], [b, other]) => other - one || a - b)
  const [, top = 1] = fused[0] ?? []
  const max = lexical[0]?.score ?? 1
  return fused.map(([at, sum]) => ({ at, score: (max * sum) / top }))
}

/** The best of the ranked passages, at most `most` of each document. */
export function topOf(
  ranked: readonly RankedPassage[],
  { limit, most, documentOf }: { limit: number; most: number; documentOf: ArrayLike<number> },
): RankedPassage[] {
  const perDocument = new Map<number, number>()
  const top: RankedPassage[] = []
  for (const found of ranked) {
    if (top.length >= limit) break
    const document = documentOf[found.at] ?? 0
    const taken = perDocument.get(document) ?? 0
    if (taken >= most) continue
    perDocument.set(document, taken + 1)
    top.push(found)
  }
  return top
}

/** The places of the passages of each title, of entries that were asked for any before. */
const knownPlaces = new WeakMap<readonly unknown[], ReadonlyMap<string, readonly number[]>>()

/** The passages of the pages with a title. */
function placesOf(entries: readonly { title: string }[], title: string): readonly number[] {
  const known = knownPlaces.get(entries)
  if (known !== undefined) return known.get(title) ?? []
  const places = Map.groupBy(entries.keys(), (at) => entries[at]?.title ?? '')
  knownPlaces.set(entries, places)
  return places.get(title) ?? []
}

/** Adds the passages that the reply before cites, where they are not among the best ones. */
export function withCited(
  top: readonly RankedPassage[],
  {
    entries,
    ranked,
    cited,
  }: {
    entries: readonly { title: string; heading: string }[]
    ranked: readonly RankedPassage[]
    cited: readonly CitedPassage[]
  },
): readonly RankedPassage[] {
  // An earlier reply is not an answer where nothing is found.
  if (cited.length === 0 || top.length === 0) return top
  const found = new Set(top.map(({ at }) => at))
  const added: RankedPassage[] = []
  const titled = new Set(cited.map(({ title }) => title))
  for (const at of [...titled].flatMap((title) => placesOf(entries, title))) {
    const passage = entries[at]
    if (passage === undefined || found.has(at) || !isCited(shareOfCited(passage, cited))) continue
    added.push({ at, score: ranked.find((one) => one.at === at)?.score ?? 0 })
    if (added.length === MAX_CITED) break
  }
  return [...top, ...added.toSorted((a, b) => b.score - a.score)]
}
