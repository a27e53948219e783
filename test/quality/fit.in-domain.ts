import { search, type SearchIndex } from '../../server/knowledge/search/search-index.ts'
import { chooseFrom } from '../../server/models/embedded/answers/sources.ts'
import {
  askingOf,
  DEFAULT_ANSWER_THRESHOLD,
  featuresOf,
  weighDocumentation,
} from '../../server/models/embedded/answers/confidence.ts'
import { IN_DOMAIN } from '../../server/models/embedded/answers/confidence-weights.ts'
import { fitLogistic, sumOf } from './regression.ts'
import {
  askVisitor,
  buildSite,
  type Part,
  readUnrelated,
  readVisitors,
  type Site,
} from './visitors.ts'

type Files = readonly (readonly [Site, Part])[]

const MAX_HITS = 8
/** Each request that has nothing to do with any site is asked on one of so many sites. */
const SITES_PER_REQUEST = 3
/** Share of those that are refused whose nearest passages may be quoted. */
const MAX_NEAREST = 0.15
const RIDGE = 3
const logit = Math.log(DEFAULT_ANSWER_THRESHOLD / (1 - DEFAULT_ANSWER_THRESHOLD))
export const IN_DOMAIN_NAMES = Object.keys(IN_DOMAIN).filter(
  (name): name is keyof typeof IN_DOMAIN => name in IN_DOMAIN,
)

/** A question that is refused, and whether it is one for the site that is asked. */
interface Refusal {
  isInDomain: boolean
  x: readonly number[]
  offset: number
  documentationShare: number
}

function readRefusals(files: Files): Refusal[] {
  const requests = readUnrelated()
  const indexes = new Map<Site, SearchIndex>()
  const indexOf = (site: Site): SearchIndex => {
    const index = indexes.get(site) ?? buildSite(site)
    indexes.set(site, index)
    return index
  }
  const sites = [...new Set(files.map(([site]) => site))]
  const refusals = (site: Site, isInDomain: boolean, messages: readonly string[]): Refusal[] => {
    const index = indexOf(site)
    const { reading, answer } = askVisitor({ site, messages, facts: [], notFirst: [] }, index)
    if (reading.isTalkOnly || reading.isOffTopic || answer.known) return []
    const hits = search(index, reading.search, MAX_HITS)
    const features = featuresOf(hits, chooseFrom(hits, reading).chosen, askingOf(reading))
    if (features === undefined) return []
    const documentationShare = hits[0]?.documentationShare ?? 0
    const x = IN_DOMAIN_NAMES.map((name) => features[name] * (1 - documentationShare))
    return [
      {
        isInDomain,
        x,
        offset: weighDocumentation(features, documentationShare),
        documentationShare,
      },
    ]
  }
  return [
    ...files.flatMap(([site, part]) =>
      readVisitors(site, part)
        .filter(({ facts }) => facts.length > 0)
        .flatMap(({ messages }) => refusals(site, true, messages)),
    ),
    ...sites.flatMap((site, place) =>
      requests
        .filter((_, at) => (at + place) % SITES_PER_REQUEST === 0)
        .flatMap((request) => refusals(site, false, [request])),
    ),
  ]
}

/** Weights of `IN_DOMAIN`, with the base at the bound. */
export function fitInDomain(files: Files): number[] {
  const refusals = readRefusals(files)
  const others = refusals.filter(({ isInDomain }) => !isInDomain)
  const balance = others.length / Math.max(1, refusals.length - others.length)
  const weights = fitLogistic(
    refusals.map(({ x, offset, isInDomain }) => ({
      x,
      offset,
      isTrue: isInDomain,
      weight: isInDomain ? balance : 1,
    })),
    RIDGE,
  )
  const sums = others.map(({ x, offset }) => sumOf(x, weights) + offset)
  const bound = sums.toSorted((a, b) => b - a)[Math.floor(MAX_NEAREST * sums.length)] ?? 0
  const documentationShare =
    refusals.reduce((sum, each) => sum + each.documentationShare, 0) / refusals.length
  return weights.map((weight, at) =>
    IN_DOMAIN_NAMES[at] === 'base' ? weight + (logit - bound) / (1 - documentationShare) : weight,
  )
}
