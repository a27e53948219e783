import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matchesHandoffIntent } from '../../server/chat/session/strings.ts'
import { extractContact } from '../../server/chat/visitor/contact-extraction.ts'
import { readMessage } from '../../server/models/embedded/understanding/message.ts'
import {
  askVisitor,
  buildSite,
  judgeReply,
  readVisitors,
  type Reply,
  type Site,
} from './visitors.ts'

/**
 * What the answers are measured with; `*.tuned.txt` is what they were tuned with, question by question.
 * `newest`: sites and questions that were written before the last tuning; only counted, never read.
 * `unseen`, `held-out` and `fresh`: once held out; the choice of passages was tuned on all three.
 * The bounds are a little below what is reached; the aims are 0.8, 0.1, 0.03 and 0.95.
 */
const SETS = [
  {
    part: 'newest',
    sites: ['yikama', 'yedek', 'pastane'],
    right: 0.76,
    refused: 0.21,
    wrong: 0.03,
    unrelated: 0.88,
  },
  {
    part: 'unseen',
    sites: ['belediye', 'veteriner', 'fatura'],
    right: 0.8,
    refused: 0.15,
    wrong: 0.05,
    unrelated: 0.92,
  },
  {
    part: 'held-out',
    sites: ['demo', 'klinik', 'ajans'],
    right: 0.87,
    refused: 0.11,
    wrong: 0.03,
    unrelated: 0.93,
  },
  {
    part: 'fresh',
    sites: ['demo', 'otel', 'spor'],
    right: 0.81,
    refused: 0.16,
    wrong: 0.03,
    unrelated: 0.95,
  },
] as const
const BANDS = [0, 0.2, 0.35, 0.5, 0.7, 0.9, 1.001]

function share(found: readonly Reply[], verdict: ReturnType<typeof judgeReply>): number {
  return found.filter((reply) => judgeReply(reply) === verdict).length / found.length
}

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`

/** Of answers by their confidence: how many, and how many of them are right. */
function calibration(replies: readonly Reply[]): { from: number; count: number; right: number }[] {
  return BANDS.slice(0, -1).map((from, at) => {
    const inBand = replies.filter(
      ({ answer }) => answer.confidence >= from && answer.confidence < (BANDS[at + 1] ?? 2),
    )
    const right = inBand.filter((reply) => {
      const isKnown = { ...reply, answer: { ...reply.answer, topics: [] } }
      return reply.asked.facts.length > 0 && reply.answer.known && judgeReply(isKnown) === 'right'
    })
    return { from, count: inBand.length, right: right.length / Math.max(1, inBand.length) }
  })
}

describe.each(SETS)('visitors of three sites ($part)', ({ part, sites, ...bounds }) => {
  const replies: Reply[] = sites.flatMap((site) => {
    const index = buildSite(site)
    return readVisitors(site, part).map((asked) => askVisitor(asked, index))
  })
  const answerable = replies.filter(({ asked }) => asked.facts.length > 0)
  const unrelated = replies.filter(({ asked }) => asked.facts.length === 0)

  test('get right answers, and seldom wrong ones', () => {
    const rows = [...sites, undefined].map((site) => {
      const own = answerable.filter(({ asked }) => site === undefined || asked.site === site)
      const verdicts = (['right', 'partly', 'refused', 'wrong'] as const).map(
        (verdict) => `${verdict} ${percent(share(own, verdict))}`,
      )
      return `${(site ?? 'all').padEnd(7)} ${own.length} questions: ${verdicts.join(', ')}`
    })
    const doubtful = answerable.filter(({ answer }) => answer.isUnsure)
    rows.push(`given with a doubt: ${percent(doubtful.length / answerable.length)}`)
    process.stdout.write(`\n${rows.join('\n')}\n`)
    expect(share(answerable, 'right')).toBeGreaterThanOrEqual(bounds.right)
    expect(share(answerable, 'partly')).toBeLessThanOrEqual(0.1)
    expect(share(answerable, 'refused')).toBeLessThanOrEqual(bounds.refused)
    expect(share(answerable, 'wrong')).toBeLessThanOrEqual(bounds.wrong)
  })

  test('are told that there is no answer to questions about anything else', () => {
    const refused = unrelated.filter(({ answer }) => !answer.known).length / unrelated.length
    process.stdout.write(`unrelated: ${percent(refused)} of ${unrelated.length} refused\n`)
    expect(refused).toBeGreaterThanOrEqual(bounds.unrelated)
  })

  test('can rely on a confidence of 0.9: nine of ten answers are right', () => {
    const bands = calibration(replies)
    const lines = bands.map(({ from, count, right }) => {
      return `${from.toFixed(2)} ${'█'.repeat(Math.round(right * 20)).padEnd(20)} ${percent(right)} of ${count}`
    })
    process.stdout.write(`confidence, and how many answers are right\n${lines.join('\n')}\n`)
    expect(bands.at(-1)?.right).toBeGreaterThanOrEqual(0.9)
  })
})

describe('a visitor without a model', () => {
  const ask = (site: Site, ...messages: string[]): Reply =>
    askVisitor({ site, messages, facts: [], notFirst: [] }, buildSite(site))

  test.each([
    ['fatura', 'do you have an office in new york'],
    ['demo', 'do you have an office in new york'],
    ['demo', 'what is 2+2'],
  ] as const)('of %s is not answered “%s” by words that only look alike', (site, question) => {
    expect(ask(site, question).answer.known).toBe(false)
  })

  test('is told what is said of other countries, without a yes for one that is not named', () => {
    expect(ask('demo', 'do you deliver to the USA').answer.content).toMatch(
      /^(?!Yes).*European Union/,
    )
    expect(ask('demo', "Amerika'ya gönderiyor musunuz").answer.content).not.toMatch(/^Evet/)
  })

  test('is told neither yes nor no where the site does not know what is asked for', () => {
    expect(ask('demo', 'do you gift wrap?').answer.content).not.toMatch(/^(?:Yes|No)\b/)
    expect(ask('demo', 'hediye çeki var mı').answer.content).not.toMatch(/^Hayır/)
    expect(ask('demo', 'otopark var mı').answer.content).toMatch(/^Evet\. Arka sokakta/)
  })

  test('gets the hours for a question that names nothing else', () => {
    expect(ask('demo', 'what time do you close today').answer.content).toContain('8 pm')
    expect(ask('demo', 'what time is breakfast').answer.known).toBe(false)
  })

  test('is refused in the language of the panel where the message has none', () => {
    expect(ask('demo', '30 adet').answer.language).toBe('tr')
  })

  test.each([
    '3 gün oldu hala gelmedi',
    'sipariş no: 48213',
    'i ordered 3 days ago',
    'it still hasnt arrived',
    'its number is 48213',
    'ich habe vor drei Tagen bestellt',
  ])('who writes “%s” means an order', (message) => {
    expect(ask('demo', message).reading.wish).toBe('order')
  })

  test('goes on with an exception to the question before', () => {
    const { answer } = ask('demo', 'whats ur return policy', 'even if the box is open')
    expect(answer.content).toContain('the box may be open')
  })
})

/** Returns the class of a message, as the turn decides it. */
function readTalk(text: string, locale: string): string {
  const { wish, talk, isTalkOnly } = readMessage(text, { locale })
  const { phone, email } = extractContact(text, { locale, isAwaited: false })
  if (matchesHandoffIntent(text)) return 'person'
  if (wish === 'appointment') return 'appointment'
  if (phone !== undefined || email !== undefined) return 'contact'
  const isUpset = talk === 'insult' || talk === 'complaint'
  return (isTalkOnly || isUpset ? talk : undefined) ?? 'question'
}

/** Talks that one polite sentence answers. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  emoji: ['praise', 'complaint'],
  hello: ['howAreYou'],
  bye: ['hello'],
  ok: ['yes'],
  praise: ['thanks'],
}

describe.each(['tuned', 'held-out'])('small talk in four languages (%s)', (part) => {
  const file = join(import.meta.dirname, 'visitors', `small-talk.${part}.txt`)
  const lines = readFileSync(file, 'utf8').trim().split('\n')

  test('is understood', () => {
    const missed = lines.filter((line) => {
      const [locale = '', wanted = '', ...words] = line.split(' ')
      const talk = readTalk(words.join(' '), locale === '-' ? 'tr' : locale)
      return talk !== wanted && !(ALIKE[wanted] ?? []).includes(talk)
    })
    process.stdout.write(
      `small talk, ${part}: ${lines.length - missed.length} of ${lines.length}\n`,
    )
    expect(missed).toEqual([])
  })
})
