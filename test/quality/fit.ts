/**
 * Fits the weights of the answers for small sites (`npm run fit`): those that choose the passage, and those
 * of the confidence. Each site is measured with weights fitted on the other ones; the weights that are
 * printed last are fitted on all of them and are copied into `answers/choice.ts` and `answers/confidence.ts`.
 */
import { search } from '../../server/knowledge/search/search-index.ts'
import { fold } from '../../server/lib/text/fold.ts'
import { chooseFrom } from '../../server/models/embedded/answers/answer.ts'
import { CHOICE_MEASURES } from '../../server/models/embedded/answers/choice.ts'
import {
  FEW_PAGES,
  type FeatureName,
  featuresOf,
} from '../../server/models/embedded/answers/confidence.ts'
import { quoteFrom, writeQuotes } from '../../server/models/embedded/answers/quotes.ts'
import { asksForSale } from '../../server/models/embedded/understanding/question-kind.ts'
import { fitChoice, fitLogistic, sumOf } from './regression.ts'
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
  ['demo', 'held-out'],
  ['klinik', 'held-out'],
  ['ajans', 'held-out'],
  ['demo', 'fresh'],
  ['otel', 'fresh'],
  ['spor', 'fresh'],
  ['belediye', 'unseen'],
  ['veteriner', 'unseen'],
  ['fatura', 'unseen'],
  ['yikama', 'newest'],
  ['yedek', 'newest'],
  ['pastane', 'newest'],
  ['surucu', 'untouched'],
  ['ofis', 'untouched'],
  ['tekne', 'untouched'],
]
const MAX_HITS = 8
/** How much a question without an answer counts, so that it is refused rather than answered wrongly. */
const UNRELATED_WEIGHT = 3
/** Share that may be answered of the unrelated questions that are not seen to be off the topic. */
const MAX_ANSWERED = 0.1
const THRESHOLD = 0.35
const BANDS = [0.35, 0.5, 0.7, 0.9, 1.001]
const NAMES = Object.keys(FEW_PAGES).filter(
  (name): name is keyof typeof FEW_PAGES => name in FEW_PAGES,
)

/** A question with its features, and whether the quote that they belong to answers it. */
interface Sample {
  site: Site
  isUnrelated: boolean
  isRight: boolean
  features: Readonly<Record<FeatureName, number>>
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
      const { search: text, kind, isPolar } = reading
      const hits = search(index, text, MAX_HITS)
      const { chosen } = chooseFrom(hits, reading)
      const isForSale = asksForSale(fold(text.question))
      const features = featuresOf(hits, chosen, { isPolar, isForSale })
      if (chosen === undefined || features === undefined) return []
      const wanted = { question: text.question, kind }
      const sources = chosen.rated.map((each) => ({
        measures: CHOICE_MEASURES.map((name) => each.measures[name]),
        isRight: isRight(writeQuotes(quoteFrom(each, wanted))),
      }))
      const isUnrelated = asked.facts.length === 0
      return [
        { site, isUnrelated, isRight: isRight(writeQuotes(chosen.quotes)), features, sources },
      ]
    })
  })
}

function fitConfidence(samples: readonly Sample[]): number[] {
  return fitLogistic(
    samples.map(({ features, isRight, isUnrelated }) => ({
      x: NAMES.map((name) => features[name]),
      isTrue: isRight,
      weight: isUnrelated ? UNRELATED_WEIGHT : 1,
    })),
  )
}

/** Fits on all other sites, then returns each sample of a site with its value. */
function crossValidate<Value>(
  samples: readonly Sample[],
  valueOf: (others: readonly Sample[]) => (sample: Sample) => Value,
): { sample: Sample; value: Value }[] {
  return [...new Set(samples.map(({ site }) => site))].flatMap((site) => {
    const value = valueOf(samples.filter((sample) => sample.site !== site))
    return samples
      .filter((sample) => sample.site === site)
      .map((sample) => ({ sample, value: value(sample) }))
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
}).filter(({ value }) => value).length
print(
  `the passage is right for ${percent(chosenRight / answerable.length)} of ${answerable.length}`,
)
print(write(CHOICE_MEASURES, fitChoice(answerable.map(({ sources }) => sources))))

const rated = crossValidate(samples, (others) => {
  const weights = fitConfidence(others)
  return ({ features }) =>
    sumOf(
      NAMES.map((name) => features[name]),
      weights,
    )
})
const ofUnrelated = rated.filter(({ sample }) => sample.isUnrelated).map(({ value }) => value)
const bound =
  ofUnrelated.toSorted((a, b) => b - a)[Math.floor(MAX_ANSWERED * ofUnrelated.length)] ?? 0
// The weights are moved so that the default threshold lies at the bound.
const shift = Math.log(THRESHOLD / (1 - THRESHOLD)) - bound
const shifted = rated.map(({ sample, value }) => ({
  sample,
  confidence: 1 / (1 + Math.exp(-(value + shift))),
}))
const given = shifted.filter(
  ({ sample, confidence }) => !sample.isUnrelated && confidence > THRESHOLD,
)
print(
  `answered: ${percent(given.length / answerable.length)}, right: ${percent(given.filter(({ sample }) => sample.isRight).length / answerable.length)}`,
)
for (const [at, from] of BANDS.slice(0, -1).entries()) {
  const band = shifted.filter(
    ({ confidence }) => confidence >= from && confidence < (BANDS[at + 1] ?? 2),
  )
  const right = band.filter(({ sample }) => sample.isRight).length / Math.max(1, band.length)
  print(`confidence from ${from}: ${percent(right)} of ${band.length}`)
}
const weights = fitConfidence(samples)
print(
  write(
    NAMES,
    weights.map((weight, at) => (NAMES[at] === 'base' ? weight + shift : weight)),
  ),
)
