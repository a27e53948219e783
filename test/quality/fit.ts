/**
 * Fits the weights of the answers for the sites of businesses (`npm run fit`): those that choose the passage, and those
 * of the confidence. Each site is measured with weights fitted on the other ones; the weights that are
 * printed last are fitted on all of them and are copied into `answers/choice.ts` and `answers/confidence-weights.ts`.
 */
import { search } from '../../server/knowledge/search/search-index.ts'
import { chooseFrom } from '../../server/models/embedded/answers/sources.ts'
import { CHOICE_MEASURES } from '../../server/models/embedded/answers/choice.ts'
import {
  askingOf,
  DEFAULT_ANSWER_THRESHOLD,
  featuresOf,
  weighDocumentation,
} from '../../server/models/embedded/answers/confidence.ts'
import {
  type FeatureName,
  RELATED,
  SURE,
} from '../../server/models/embedded/answers/confidence-weights.ts'
import { writeQuotes } from '../../server/models/embedded/answers/quote-text.ts'
import { quoteFrom } from '../../server/models/embedded/answers/quotes.ts'
import { fitInDomain, IN_DOMAIN_NAMES } from './fit.in-domain.ts'
import { fitChoice, fitLogistic, sumOf } from './regression.ts'
import { SETS, UNFITTED } from './sets.ts'
import {
  askVisitor,
  buildSite,
  judgeReply,
  type Part,
  readVisitors,
  type Site,
} from './visitors.ts'

const FILES: readonly (readonly [Site, Part])[] = [
  ['demo', 'tuned'],
  ['klinik', 'tuned'],
  ['kurs', 'tuned'],
  ['servis', 'tuned'],
  ...SETS.filter(({ part }) => !UNFITTED.has(part)).flatMap(({ part, sites }) =>
    sites.map((site) => [site, part] as const),
  ),
]
const MAX_HITS = 8
/** How much a question without an answer counts, so that it is refused rather than answered wrongly. */
const UNRELATED_WEIGHT = 3
/** How much a question of the newest sites counts, whose words served to tune nothing else. */
const NEWEST_WEIGHT = 3
const NEWEST = new Set<Part>(['untouched', 'recent'])
const RIDGE = 3
/** Share that may be answered of the unrelated questions that are not seen to be off the topic. */
const MAX_ANSWERED = 0.15
const SURE_BOUND = 0.9
/** Passages that a doubtful answer quotes. */
const MAX_QUOTED = 3
const BANDS = [0, 0.35, 0.5, 0.7, 0.9, 1.001]
const RELATED_NAMES = Object.keys(RELATED).filter(
  (name): name is keyof typeof RELATED => name in RELATED,
)
const SURE_NAMES = Object.keys(SURE).filter((name): name is keyof typeof SURE => name in SURE)

/** A question with its features, and whether the quotes that they belong to answer it. */
interface Sample {
  site: Site
  isNewest: boolean
  isUnrelated: boolean
  isRight: boolean
  /** Whether one of the quotes of a doubtful answer is right. */
  isAmong: boolean
  features: Readonly<Record<FeatureName, number>>
  documentationShare: number
  /** The passages that it could be answered from: their measures, and whether they answer. */
  sources: readonly { measures: readonly number[]; isRight: boolean }[]
}

function readSamples(): Sample[] {
  return FILES.flatMap(([site, part]) => {
    const index = buildSite(site)
    return readVisitors(site, part).flatMap((asked) => {
      const reply = askVisitor(asked, index)
      const { reading } = reply
      if (reading.isTalkOnly || reading.isOffTopic) return []
      const isRight = (content: string): boolean => {
        const answer = { ...reply.answer, known: true, topics: [], content }
        return asked.facts.length > 0 && judgeReply({ ...reply, answer }) === 'right'
      }
      const { search: text, kind } = reading
      const hits = search(index, text, MAX_HITS)
      const { chosen } = chooseFrom(hits, reading)
      const features = featuresOf(hits, chosen, askingOf(reading))
      if (chosen === undefined || features === undefined) return []
      const quotes = chosen.rated.map((each) =>
        writeQuotes(quoteFrom(each, { question: text.question, kind })),
      )
      return [
        {
          site,
          isNewest: NEWEST.has(part),
          isUnrelated: asked.facts.length === 0,
          isRight: isRight(writeQuotes(chosen.quotes)),
          isAmong: isRight(quotes.slice(0, MAX_QUOTED).join('\n')),
          features,
          documentationShare: hits[0]?.documentationShare ?? 0,
          sources: chosen.rated.map(({ measures }, at) => ({
            measures: CHOICE_MEASURES.map((name) => measures[name]),
            isRight: isRight(quotes[at] ?? ''),
          })),
        },
      ]
    })
  })
}

/** A weighted sum, with what the model for large documentation adds to it. */
interface Model {
  names: readonly FeatureName[]
  fit(samples: readonly Sample[]): number[]
  sum(sample: Sample, weights: readonly number[]): number
}

function modelOf(
  names: readonly FeatureName[],
  {
    strength,
    isTrue,
    weigh,
  }: {
    strength: number
    isTrue: (sample: Sample) => boolean
    weigh: (sample: Sample) => number
  },
): Model {
  const columns = ({ features, documentationShare }: Sample): number[] =>
    names.map((name) => features[name] * (1 - documentationShare))
  const offsetOf = ({ features, documentationShare }: Sample): number =>
    weighDocumentation(features, documentationShare)
  return {
    names,
    fit: (samples) =>
      fitLogistic(
        samples.map((sample) => ({
          x: columns(sample),
          isTrue: isTrue(sample),
          weight: weigh(sample),
          offset: offsetOf(sample),
        })),
        strength,
      ),
    sum: (sample, weights) => sumOf(columns(sample), weights) + offsetOf(sample),
  }
}

const related = modelOf(RELATED_NAMES, {
  strength: RIDGE,
  isTrue: ({ isAmong }) => isAmong,
  weigh: ({ isUnrelated }) => (isUnrelated ? UNRELATED_WEIGHT : 1),
})
const sure = modelOf(SURE_NAMES, {
  strength: RIDGE,
  isTrue: ({ isRight }) => isRight,
  weigh: ({ isNewest }) => (isNewest ? NEWEST_WEIGHT : 1),
})

/** Fits on all other sites, then returns each sample of a site with its value. */
function crossValidate<Value>(
  samples: readonly Sample[],
  valueOf: (others: readonly Sample[]) => (sample: Sample) => Value,
): Map<Sample, Value> {
  const sites = [...new Set(samples.map(({ site }) => site))]
  return new Map(
    sites.flatMap((site) => {
      const value = valueOf(samples.filter((sample) => sample.site !== site))
      return samples
        .filter((sample) => sample.site === site)
        .map((sample): [Sample, Value] => [sample, value(sample)])
    }),
  )
}

function sumsLeftOut(samples: readonly Sample[], model: Model): Map<Sample, number> {
  return crossValidate(samples, (others) => {
    const weights = model.fit(others)
    return (sample) => model.sum(sample, weights)
  })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const write = (names: readonly string[], weights: readonly number[]): string =>
  names.map((name, at) => `  ${name}: ${(weights[at] ?? 0).toFixed(2)},`).join('\n')

const samples = readSamples()
const answerable = samples.filter(({ isUnrelated }) => !isUnrelated)
const chosenRight = crossValidate(answerable, (others) => {
  const weights = fitChoice(others.map(({ sources }) => sources))
  return ({ sources }) => {
    const values = sources.map(({ measures }) => sumOf(measures, weights))
    return sources[values.indexOf(Math.max(...values))]?.isRight === true
  }
})
const rightOnes = chosenRight.values().filter((isRight) => isRight)
print(
  `the passage is right for ${percent([...rightOnes].length / answerable.length)} of ${answerable.length}`,
)
print(write(CHOICE_MEASURES, fitChoice(answerable.map(({ sources }) => sources))))

const relatedSums = sumsLeftOut(samples, related)
const sureSums = sumsLeftOut(samples, sure)
const ofUnrelated = samples
  .filter(({ isUnrelated }) => isUnrelated)
  .map((sample) => relatedSums.get(sample) ?? 0)
const bound =
  ofUnrelated.toSorted((a, b) => b - a)[Math.floor(MAX_ANSWERED * ofUnrelated.length)] ?? 0
const confidenceOf = (sample: Sample): number =>
  (relatedSums.get(sample) ?? 0) <= bound ? 0 : 1 / (1 + Math.exp(-(sureSums.get(sample) ?? 0)))

for (const [label, chosen] of [
  ['the newest sites', samples.filter(({ isNewest }) => isNewest)],
  ['all sites', samples],
] as const) {
  const asked = chosen.filter(({ isUnrelated }) => !isUnrelated)
  const others = chosen.filter(({ isUnrelated }) => isUnrelated)
  const given = asked.filter((sample) => confidenceOf(sample) > 0)
  const isSure = (sample: Sample): boolean => confidenceOf(sample) >= SURE_BOUND
  const right = given.filter((sample) => (isSure(sample) ? sample.isRight : sample.isAmong))
  const wrong = given.filter((sample) => isSure(sample) && !sample.isRight)
  const refused = others.filter((sample) => confidenceOf(sample) === 0)
  print(
    `${label}, left out: answered ${percent(given.length / asked.length)}, right ${percent(right.length / asked.length)}, surely wrong ${percent(wrong.length / asked.length)}, unrelated refused ${percent(refused.length / others.length)} of ${others.length}`,
  )
  for (const [at, from] of BANDS.slice(0, -1).entries()) {
    const band = given.filter(
      (sample) => confidenceOf(sample) >= from && confidenceOf(sample) < (BANDS[at + 1] ?? 2),
    )
    const share = band.filter(({ isRight }) => isRight).length / Math.max(1, band.length)
    print(`  confidence from ${from}: ${percent(share)} of ${band.length}`)
  }
}

const logit = Math.log(DEFAULT_ANSWER_THRESHOLD / (1 - DEFAULT_ANSWER_THRESHOLD))
// The base is moved so that the default threshold lies at the bound on a site of average documentationShare.
const documentationShare =
  samples.reduce((sum, sample) => sum + sample.documentationShare, 0) / samples.length
const shift = (logit - bound) / (1 - documentationShare)
print(
  `RELATED\n${write(
    RELATED_NAMES,
    related.fit(samples).map((weight, at) => {
      return RELATED_NAMES[at] === 'base' ? weight + shift : weight
    }),
  )}`,
)
print(`SURE\n${write(SURE_NAMES, sure.fit(samples))}`)
print(`IN_DOMAIN\n${write(IN_DOMAIN_NAMES, fitInDomain(FILES))}`)
