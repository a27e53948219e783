import { describe, expect, test } from 'vitest'
import { splitDocument } from '../../../server/knowledge/parsers/chunk.ts'
import { buildIndexSync, search } from '../../../server/knowledge/search/search-index.ts'
import { answerFromPassages } from '../../../server/models/embedded/answers/answer.ts'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'
import { indexed } from '../../quality/documents.ts'

const rows = (heads: string, lines: readonly string[]): string =>
  [
    `| ${heads} |`,
    `|${'---|'.repeat(heads.split('|').length)}`,
    ...lines.map((line) => `| ${line} |`),
  ].join('\n')

/** The sections of each page of a kennel with services of its own hours, prices and rules. */
const PAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Dog boarding': {
    'The kennels': 'Each kennel has a heated bed and a run of its own.',
    Walks: 'Dogs are walked three times a day in the fields behind the farm.',
    Feeding: 'Bring the usual food in named bags. We feed twice a day.',
    Vaccinations: 'Bring the card with this year’s vaccinations on the first day.',
    Exercise: 'There is a paddock for dogs that like to run.',
    Bedding: 'We provide beds. A blanket from home helps dogs to settle.',
  },
  'Day care': {
    Hours: 'Monday to Friday, 7:30 to 18:00. Closed at weekends and on bank holidays.',
    'A day with us': 'Play in the morning, a sleep after lunch, and a walk before collection.',
    Groups: 'Small dogs play apart from large ones.',
    Trial: 'Every dog comes for a trial morning first.',
    Contract: 'Our contract for day care runs for three months.',
    Lunch: 'Puppies get lunch if you bring it.',
  },
  Grooming: {
    Hours: 'Tuesday to Friday, 9:00 to 16:00, by appointment.',
    Puppies: 'Puppies come for grooming from 14 weeks. The first groom should be short.',
    Nails: 'Nails are clipped with every full groom.',
    Cats: 'Long-haired cats are groomed on Thursdays.',
    Baths: 'A bath with shampoo for sensitive skin is part of it.',
    Deposits: 'New customers of the groomer pay a £15 deposit.',
  },
  'Training classes': {
    Level: 'Bronze, silver and gold classes are on Wednesday evenings.',
    Trainers: 'Gareth has trained dogs for twenty years.',
    Outdoors: 'In summer the classes are in the lower field.',
    Treats: 'Bring soft treats and a flat collar to the first class.',
    Families: 'Children from ten years may train with their dog.',
    Length: 'Each class lasts fifty minutes.',
  },
  'Visit us and contact': {
    'Find us': 'Hartwell Farm, Pinfold Lane 12, Marlow Green.',
    'Phone and e-mail':
      'Call us on 01632 960582. The office is open Monday to Friday 8:30–17:30 and Saturday 8:30–12:00. It is closed on Sundays.',
    Parking: 'There are fifteen parking spaces in front of the barn.',
    Tours: 'Look round on any Saturday between ten and twelve.',
  },
  FAQs: {
    'Is it mixed?':
      'Yes. Dogs and bitches share the paddock. The sleeping rooms are separate, each with its own door.',
    'May I film my dog?': 'Please do, but leave phones in your pocket during classes.',
    'Do you take cats?': 'Yes. The cattery has eighteen pens.',
    'Should I bring towels?': 'Yes. Towels are not here.',
    'Do you have jobs?': 'Vacancies are on the noticeboard. Send a letter to Gareth.',
    'Hire of crates': 'A crate costs £4 a day.',
  },
}
const index = buildIndexSync(
  Object.entries(PAGES).flatMap(([title, sections]) => {
    const texts = Object.entries(sections).map(([heading, text]) => `## ${heading}\n\n${text}`)
    const content = `# ${title}\n\n${texts.join('\n\n')}`
    return indexed(title, splitDocument({ kind: 'markdown', title, content }))
  }),
)

function answerTo(question: string, before?: string): { content: string; isUnsure: boolean } {
  const earlier = before === undefined ? {} : { question: before }
  const reading = readMessage(question, { locale: 'en', ...earlier })
  const hits = search(index, reading.search, 8)
  return answerFromPassages({ question, reading, hits, threshold: 0.35 })
}

describe('on a site of several services', () => {
  test('who asks for the hours reads those of each under its name, with those of the office', () => {
    for (const question of ['opening times', 'when are you open']) {
      const { content } = answerTo(question)
      expect(content).toContain('**Day care › Hours:** Monday to Friday, 7:30')
      expect(content).toContain('The office is open Monday to Friday 8:30')
    }
  })

  test('the rule of one service is told with its name', () => {
    expect(answerTo('do you take puppies').content).toContain('**Grooming › Puppies:**')
    expect(answerTo('do you have a contract').content).toContain('**Day care › Contract:**')
  })

  test('what the page of a named service says needs no name', () => {
    expect(answerTo('how long is a training class').content).not.toMatch(/^\*\*Training/)
    expect(answerTo('is there parking').content).toMatch(/^Yes\. There are fifteen/)
  })

  test('the yes of the page’s own question is told to that question, and to no other one', () => {
    expect(answerTo('Should I bring towels?').content).toMatch(/^Yes\. Towels are not here/)
    expect(answerTo('do you bring towels').content).not.toMatch(/^Yes/)
  })

  test('who looks for work is told of jobs, not of what is hired out', () => {
    const { content } = answerTo('are you hiring')
    expect(content).toContain('Vacancies are on the noticeboard')
    expect(content).not.toContain('crates')
  })

  test('who asks whether phones may be used does not get the phone number', () => {
    expect(answerTo('phones allowed?').content).not.toMatch(/^Call us/)
  })

  test('hours that go on with a class are not surely those of the house', () => {
    expect(answerTo('and what are the hours', 'what do i bring to training').isUnsure).toBe(true)
  })

  test('the price for a place that the site does not name is in doubt', () => {
    const content = `# Moves\n\n## Within Ankara\n\n${rows('Home | Price', ['2+1 | 19.000 TL', '3+1 | 26.000 TL'])}`
    const moves = buildIndexSync(
      indexed('Moves', splitDocument({ kind: 'markdown', title: 'Moves', content })),
    )
    const question = 'Ankara Mersin arası 3+1 ev ne kadar'
    const reading = readMessage(question, { locale: 'tr' })
    const hits = search(moves, reading.search, 8)
    const { isUnsure, known } = answerFromPassages({ question, reading, hits, threshold: 0.35 })
    expect(isUnsure || !known).toBe(true)
  })
})

/** The answer of a site of one page. */
function askPage(title: string, text: string, question: string): string {
  const content = `# ${title}\n\n${text}`
  const passages = indexed(title, splitDocument({ kind: 'markdown', title, content }))
  const reading = readMessage(question, { locale: 'en' })
  const hits = search(buildIndexSync(passages), reading.search, 8)
  return answerFromPassages({ question, reading, hits, threshold: 0.35 }).content
}

test('a question of which one passage has all words is about the site', () => {
  const question = 'kuse kagit var mi'
  expect(readMessage(question, { locale: 'tr' }).isOffTopic).toBe(true)
  const text = '## Çeşitler\n\nKuşe kâğıt 350 gramdır, mat olur. Kraft kâğıt el ilanları içindir.'
  expect(askPage('Ürünler', text, question)).toContain('Kuşe kâğıt 350 gramdır')
})

test('a price that includes one thing and excludes another says yes to the first alone', () => {
  const text = 'Bütün fiyatlar TL’dir, KDV dahildir, kargo hariçtir.'
  expect(askPage('Fiyatlar', text, 'fiyatlara KDV dahil mi')).toMatch(/^Evet\./)
  expect(askPage('Fiyatlar', text, 'fiyatlara kargo dahil mi')).not.toMatch(/^Evet/)
})

test('who asks for a cost gets the price of a passage that tells it below a list', () => {
  const text = `## Lasting powers of attorney

A lasting power of attorney names people you trust, who act for you if you no longer can.

- **Property and money**: bank accounts, bills, selling the house. You may let them begin with it while you still decide for yourself.
- **Health and welfare**: treatment, care homes, the daily routine. They may begin with it once you do not decide any longer.

Our fee covers advice, the forms, a certificate and the application to the office that keeps them. That office charges £92 for each of them; who earns less than £12,000 a year pays half. It takes ten weeks until they are kept there.

Who does not decide any longer is too late for one. We then go to a court, which names a deputy after six to nine months.

## Visits

We come to homes within 15 miles for £75, on Tuesdays.`
  expect(askPage('Wills', text, 'lasting power of attorney cost')).toContain('£92')
})

test.each([
  'do you have a price list',
  'price list please',
  'fiyat listeniz var mı',
  'güncel ücret listesi alabilir miyim',
  'haben Sie eine Preisliste',
])('a list of prices is asked for as the prices, without yes or no: %s', (message) => {
  const { kind, isPolar, search: sought } = readMessage(message, { locale: 'en' })
  expect(kind).toBe('price')
  expect(isPolar).toBe(false)
  expect(sought.question).not.toContain('list')
})
