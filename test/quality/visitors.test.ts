import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { search } from '../../server/knowledge/search/search-index.ts'
import { matchesHandoffIntent } from '../../server/chat/session/strings.ts'
import { extractContact } from '../../server/chat/visitor/contact-extraction.ts'
import { readMessage } from '../../server/models/embedded/understanding/message.ts'
import { SETS } from './sets.ts'
import {
  askVisitor,
  buildSite,
  judgeReply,
  readUnrelated,
  readVisitors,
  type Reply,
  type Site,
} from './visitors.ts'

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

describe.each(SETS)('visitors of sites ($part)', ({ part, sites, ...bounds }) => {
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
    const nearest = answerable.filter(({ answer }) => !answer.known && answer.used.length > 0)
    rows.push(`given with a doubt: ${percent(doubtful.length / answerable.length)}`)
    rows.push(`only as the nearest passage: ${percent(nearest.length / answerable.length)}`)
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

  test(`can rely on a confidence of 0.9: ${bounds.sure * 10} of ten answers are right`, () => {
    const bands = calibration(replies)
    const lines = bands.map(({ from, count, right }) => {
      return `${from.toFixed(2)} ${'█'.repeat(Math.round(right * 20)).padEnd(20)} ${percent(right)} of ${count}`
    })
    process.stdout.write(`confidence, and how many answers are right\n${lines.join('\n')}\n`)
    expect(bands.at(-1)?.right).toBeGreaterThanOrEqual(bounds.sure)
  })
})

test('questions and requests that have nothing to do with a site are refused', () => {
  const sites = SETS.find(({ part }) => part === 'plain')?.sites ?? []
  const replies = sites.flatMap((site) => {
    const index = buildSite(site)
    return readUnrelated().map((message) =>
      askVisitor({ site, messages: [message], facts: [], notFirst: [] }, index),
    )
  })
  const refused = replies.filter(({ answer, reading }) => reading.isTalkOnly || !answer.known)
  const quoted = refused.filter(({ answer }) => answer.used.length > 0)
  process.stdout.write(
    `\nunrelated: ${percent(refused.length / replies.length)} of ${replies.length} refused, ` +
      `${percent(quoted.length / replies.length)} with the nearest passages\n`,
  )
  expect(refused.length / replies.length).toBeGreaterThanOrEqual(0.97)
  expect(quoted.length / replies.length).toBeLessThanOrEqual(0.045)
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

  test.each([
    ['telefonunuz ne', 'contact', '0224 555 18 80'],
    ['whats your number', 'contact', '0224 555 18 80'],
    ['wie erreiche ich euch', 'contact', '0224 555 18 80'],
    ['ما هو رقم الواتساب', 'contact', '0530 555 18 80'],
    ['whats ur email', 'email', 'bilgi@yolac.example'],
    ['dükkan nerde', 'place', 'Fatih Sultan Mehmet Bulvarı 112'],
    ['how do i get there', 'place', 'Fatih Sultan Mehmet Bulvarı 112'],
    ['öffnungszeiten', 'hours', 'Pazartesi–cuma: 09.00–20.00'],
    ['ما هي مواعيد العمل', 'hours', 'Pazartesi–cuma: 09.00–20.00'],
  ] as const)('who writes “%s” is told the %s of the business', (question, kind, fact) => {
    const { reading, answer } = ask('surucu', question)
    expect(reading.kind).toBe(kind)
    expect(answer.content).toContain(fact)
    expect(answer.isUnsure).toBe(false)
  })

  test('is told the hours without a yes for a day that they do not name', () => {
    const { answer } = ask('dilokulu', 'are you open on sunday')
    expect(answer.content).toMatch(/^The office is open Monday to Friday/)
  })

  test('means what was named before with hours and places, and the business with its phone', () => {
    expect(ask('otel', 'havuz var mı', 'kaçta kapanıyor').reading.search.detail).toBeUndefined()
    expect(ask('otel', 'havuz var mı', 'telefon numaranız ne').reading.search.detail).toBe('phone')
    for (const other of ['sonuçlar ne zaman açıklanır', 'not a number', 'my address', 'telefonum'])
      expect(ask('surucu', other).reading.search.detail).toBeUndefined()
  })

  test.each([
    ['köpeğimle gelebilir miyim', 'bagotel', '15 kilo'],
    ['هل يمكن إحضار الكلب', 'bagotel', '15 kilo'],
  ] as const)('who writes “%s” is understood by other words', (question, site, fact) => {
    expect(ask(site, question).answer.content).toContain(fact)
  })

  test('of a site in two languages reads no source in the other one', () => {
    const index = buildSite('demo')
    for (const [question, language] of [
      ['how much is shipping', 'en'],
      ['kargo ücreti ne kadar', 'tr'],
    ] as const) {
      const { answer, reading } = ask('demo', question)
      const hits = search(index, reading.search, 8)
      const cited = answer.used.map((place) => hits[place]?.language)
      expect(new Set(cited)).toEqual(new Set([language]))
    }
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

  test.each([
    ['who pays shipping', 'it costs 79 TL'],
    ['who pays for return shipping', 'We pay the return shipping'],
    ['can i return a cup', 'within 30 days'],
    ['Kann ich eine Tasse zurückgeben', 'within 30 days'],
    ['kahve makinem bozuldu', '2 yıl garantilidir'],
  ])('who writes “%s” is told what the site says of it', (question, fact) => {
    expect(ask('demo', question).answer.content).toContain(fact)
  })

  test('is told plainly what a heading announces, without a yes for what it does not name', () => {
    for (const question of ['can i return a cup', 'whats ur return policy']) {
      const { answer } = ask('demo', question)
      expect(answer.isUnsure).toBe(false)
      expect(answer.content).toMatch(
        /^\*\*Return period:\*\* You can return a product within 30 days/,
      )
    }
    const { content } = ask('demo', 'can i return a car').answer
    expect(content).not.toMatch(/^Yes/)
    expect(content).toContain('You can return a product within 30 days')
  })

  test('gets the answer once more in the language that is asked for', () => {
    const { answer } = ask('demo', 'kargo kaç gün sürer', 'and in English please')
    expect(answer.language).toBe('en')
    expect(answer.content).toContain('1–2 working days')
  })

  test('asks the price of what was named before with a message that says nothing else', () => {
    expect(ask('pastane', 'kurs kaç saat sürüyor', 'kaç para peki').reading.kind).toBe('price')
  })

  test('reads several passages under their headings where none is sure', () => {
    const { answer } = ask('demo', 'my grinder is broken')
    expect(answer.isUnsure).toBe(true)
    expect(answer.content).toMatch(/\n\n\*\*Warranty:\*\* .+\n\n\*\*Broken or damaged items:\*\* /)
    expect(answer.used.length).toBeGreaterThan(1)
  })

  test('reads a section in the own language alone, and none that has nothing to do with it', () => {
    const { answer } = ask('demo', 'fincanlara logomuzu basabilir misiniz')
    expect(answer.content).toContain('logo baskısı yapılabilir')
    expect(answer.content).not.toContain('wholesale')
    const { content } = ask('demo', 'oraya nasıl gelirim metroyla').answer
    expect(content).toContain('Metro istasyonuna')
    expect(content).not.toContain('metro station')
  })

  test('gets the prices of a table with the remark that follows it', () => {
    expect(ask('bookshop', 'how much is postage').answer.content).toContain('£3.25')
  })

  test('is told how long a guarantee lasts, before how soon somebody comes', () => {
    const { content } = ask('tesisat', 'garanti ne kadar sürüyor').answer
    expect(content.indexOf('2 yıl')).toBeGreaterThan(0)
    expect(content.indexOf('2 yıl')).toBeLessThan(`${content}48 saat`.indexOf('48 saat'))
  })

  test('is told of a place where the places are told', () => {
    for (const message of [
      'Wie lange dauert die Lieferung nach Österreich?',
      'almanyaya kargo kaç gün',
    ])
      expect(ask('demo', message).answer.content).toContain('5–8')
  })

  test('reads another language where the own one says nothing of it', () => {
    const { answer } = ask('para', 'when does the last minibus collect people from hotels')
    expect(answer.content).toContain('We have this in Turkish')
  })

  test('is told neither yes nor no by a sentence with another number', () => {
    const { content } = ask('demo', 'can i use two discount codes').answer
    expect(content).not.toMatch(/^(?:Yes|No)\b/)
    expect(content).toContain('One code can be used per order')
    expect(ask('demo', 'iki kod birden kullanabilir miyim').answer.content).toContain(
      'yalnızca bir kod',
    )
  })

  test('is told the exception that was asked about before the rule', () => {
    const { content } = ask('demo', 'açtığım kahveyi iade edebilir miyim').answer
    expect(content.indexOf('iade edilemez')).toBeLessThan(content.indexOf('30 gün'))
    const { content: english } = ask('demo', 'can i return an opened bag of coffee').answer
    expect(english.indexOf('cannot be returned')).toBeLessThan(english.indexOf('30 days'))
  })

  test('gets the price without a doubt under the heading that announces it', () => {
    const { answer } = ask('demo', 'how much is shipping')
    expect(answer.isUnsure).toBe(false)
    expect(answer.content).toMatch(/^Shipping is free for orders of 750 TL or more\..*79 TL/)
  })

  test.each(['iş ilanınız var mı', 'are you hiring', 'stellt ihr leute ein'])(
    'who asks for work with “%s” gets no section on something else',
    (question) => {
      const { answer } = ask('demo', question)
      expect(answer.known).toBe(false)
      expect(answer.topics).toEqual([])
    },
  )

  test('who looks for work is answered by a site that writes about it', () => {
    expect(ask('hali', 'iş arıyorum eleman alıyor musunuz').answer.known).toBe(true)
  })

  test.each([
    'siparişimi iptal etmek istiyorum',
    'adresimi yanlış yazdım ne yapabilirim',
    'i want to cancel my order',
    'ich möchte meine bestellung stornieren',
    'اريد الغاء الطلب',
  ])('who writes “%s” wants an order changed', (message) => {
    expect(ask('demo', message).reading.wish).toBe('change')
  })

  test.each(['çok pahalısınız', "you're so expensive", 'zu teuer', 'غالي جدا'])(
    'who writes “%s” complains about prices',
    (message) => {
      const { reading } = ask('demo', message)
      expect(reading.talk).toBe('expensive')
      expect(reading.isTalkOnly).toBe(true)
      expect(ask('demo', 'kargo ne kadar', message).reading.isTalkOnly).toBe(true)
    },
  )

  test('goes on with what was asked, not with a greeting or thanks', () => {
    expect(ask('demo', 'hi', 'how much is shipping').reading.isFollowUp).toBe(false)
    const { reading, answer } = ask(
      'demo',
      'kargo ücreti ne kadar',
      'teşekkürler',
      'peki almanyaya',
    )
    expect(reading.isFollowUp).toBe(true)
    expect(answer.content).toContain('14,90 euro')
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
  const file = join(import.meta.dirname, 'small-talk', `${part}.txt`)
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
