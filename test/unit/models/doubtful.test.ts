import { describe, expect, test } from 'vitest'
import { splitDocument } from '../../../server/knowledge/parsers/chunk.ts'
import { buildIndexSync, search } from '../../../server/knowledge/search/search-index.ts'
import { answerFromPassages } from '../../../server/models/embedded/answers/answer.ts'
import { answerSeveral } from '../../../server/models/embedded/answers/several.ts'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'
import { extractiveAnswerer } from '../../../server/models/embedded/extractive.ts'
import { turnCost } from '../../../server/lib/money.ts'
import { indexed } from '../../quality/documents.ts'
import { askVisitor, buildSite } from '../../quality/visitors.ts'

const FRAMES = `# Spoke

${['Bells', 'Tyres', 'Helmets', 'Lights', 'Locks', 'Racks']
  .map(
    (name) => `## ${name}\n\nWe stock ${name.toLowerCase()} of two makers. The workshop fits them.`,
  )
  .join('\n\n')}

## Adult frames

| Height | Gravel | Road | Dropper post |
|---|---|---|---|
| 5'0" – 5'4" | S | 51 cm | – |
| 5'5" – 5'9" | M | 54 cm | ✓ |

## Services

| Service | What it covers | Price |
|---|---|---|
| Standard | gears adjusted, wheels trued, brake pads and bearings adjusted, cables replaced | £75 |
| Strip-down | bare frame, brake pads cleaned, everything greased | £165 |

## Single jobs

- Brake pads — £12
- Wheel true — £18

## Free valuation of an old bicycle

Bring it on any weekday. The mechanic looks at it while you wait, and you may think about the offer for a week.

## Cleaning

A clean takes half an hour.

## Getting here

There is a small lot with six spaces directly in front of the door, one of them reserved for disabled visitors. More room is along Foundry Street.
`

const spoke = buildIndexSync(
  indexed('Spoke', splitDocument({ kind: 'markdown', title: 'Spoke', content: FRAMES })),
)

function answerTo(question: string, before?: string): { content: string; known: boolean } {
  const reading = readMessage(question, { locale: 'en', question: before })
  const hits = search(spoke, reading.search, 8)
  return answerFromPassages({ question, reading, locale: 'en', hits, threshold: 0.35 })
}

test.each([1, 40, 41, 120, 359, 361, 400])(
  'an answer to a question of %i characters costs one credit at most',
  (length) => {
    const { inputTokens, outputTokens } = extractiveAnswerer.maxUsage('a'.repeat(length))
    expect(turnCost(inputTokens, outputTokens)).toBe(1_000)
  },
)

describe('an answer from a table', () => {
  test('has the cells of one letter and the marks, and no dashes', () => {
    const { content } = answerTo('which frame size for a height of 5 foot 4')
    expect(content).toContain('Gravel: S — Road: 51 cm')
    expect(content).toContain('Gravel: M — Road: 54 cm — Dropper post: ✓')
    expect(content).not.toContain('Dropper post: –')
  })

  test('is the row that is called what was asked for, not one that names it among others', () => {
    expect(answerTo('how much are brake pads').content).toMatch(/^Brake pads — £12/)
  })
})

describe('a question of which the site has no word', () => {
  test('gets the passage that tells what any business is asked for, and counts as unanswered', () => {
    const { content, known } = answerTo('is there parking')
    expect(content).toMatch(/^I couldn’t find a clear answer[^]*six spaces directly in front/)
    expect(known).toBe(false)
  })

  test.each(['parking in manhattan', 'i hurt myself, is there parking'])(
    'gets none where it asks no business, or is on health: “%s”',
    (question) => {
      expect(answerTo(question).content).not.toContain('six spaces')
    },
  )

  test('beside one that is answered gets that passage after the answer', () => {
    const question = 'Is there parking? How much are the brake pads?'
    const reading = readMessage(question, { locale: 'en' })
    const find = (own: ReturnType<typeof readMessage>) => search(spoke, own.search, 8)
    const further = reading.further.map((each) => ({ ...each, hits: find(each.reading) }))
    const request = { question, reading, locale: 'en', hits: find(reading), threshold: 0.35 }
    const { content, isUnsure } = answerSeveral(request, further)
    expect(content).toMatch(/^Brake pads — £12[^]*I’m not sure[^]*six spaces directly in front/)
    expect(isUnsure).toBe(true)
  })
})

describe('a question that says little on its own', () => {
  test('is asked together with the one before', () => {
    const question = 'do we have to wait for long'
    const together = answerTo(question, 'free valuation?')
    expect(together.content).toContain('while you wait')
    expect(together.known).toBe(true)
    expect(answerTo(question).known).toBe(false)
  })

  test('is not sure then', () => {
    const reading = readMessage('do we have to wait for long', {
      locale: 'en',
      question: 'free valuation?',
    })
    const hits = search(spoke, reading.search, 8)
    expect(hits[0]?.isLeaning).toBe(true)
    const request = { question: 'wait', reading, locale: 'en', hits, threshold: 0.35 }
    expect(answerFromPassages(request).isUnsure).toBe(true)
  })

  test.each([
    ['how much is a wheel true', 'how much are brake pads'],
    ['should i call an ambulance', 'how much are brake pads'],
    ['i took too many pills', 'free valuation?'],
    ['i feel faint', 'free valuation?'],
  ])('is none: “%s”', (question, before) => {
    const { search: request } = readMessage(question, { locale: 'en', question: before })
    expect(search(spoke, request, 8).some(({ isLeaning }) => isLeaning)).toBe(false)
  })

  test('is asked alone where the site knows nothing of what it names', () => {
    expect(answerTo('who won the eurovision contest', 'free valuation?').known).toBe(false)
  })
})

describe('a page with a section for each branch', () => {
  const branches = ['Northgate', 'Harbour'].map(
    (name, at) =>
      `## ${name}\n\n| Day | Open |\n|---|---|\n| Friday | 9:00–17:00 |\n| Saturday | ${at + 9}:00–13:00 |\n\nThe lift at ${name} is for wheelchairs.`,
  )
  const pages = `# Our shops\n\n${branches.join('\n\n')}`
  const index = buildIndexSync(
    indexed('Our shops', splitDocument({ kind: 'markdown', title: 'Our shops', content: pages })),
  )
  const ask = (question: string) => {
    const reading = readMessage(question, { locale: 'en' })
    const hits = search(index, reading.search, 8)
    return answerFromPassages({ question, reading, hits, threshold: 0.35 })
  }

  test('tells the hours of each under its name', () => {
    const { content, isUnsure } = ask('are you open on saturdays')
    expect(isUnsure).toBe(true)
    expect(content).toContain('**Our shops › Northgate:**')
    expect(content).toContain('Saturday — 9:00–13:00')
    expect(content).toContain('**Our shops › Harbour:**')
    expect(content).toContain('Saturday — 10:00–13:00')
  })

  test('tells those of the one that is named', () => {
    const { content } = ask('are you open on saturdays in Harbour')
    expect(content).toContain('Saturday — 10:00–13:00')
  })
})

describe('a doubtful answer', () => {
  const ask = (sections: string, question: string) => {
    const content = `# Boats\n\nFour of them lie at our jetty.\n\n${sections}\n\n## Café\n\nCakes are baked early.`
    const index = buildIndexSync(
      indexed('Boats', splitDocument({ kind: 'markdown', title: 'Boats', content })),
    )
    const reading = readMessage(question, { locale: 'en' })
    const hits = search(index, reading.search, 8)
    return answerFromPassages({ question, reading, hits, threshold: 0.35 })
  }

  test('quotes each of the nearest passages under its heading, and a short table whole', () => {
    const { content, topics } = ask(
      `## Motor boat

| Boat | Deposit |
|---|---|
| Small motor boat | £120 |
| Large motor boat | £250 |

${['House', 'Tug', 'Blue']
  .map((name, at) => `## ${name} boat\n\nDeposits for a ${name} boat are £${at + 4}00.`)
  .join('\n\n')}`,
      'what deposit do scouts pay for a boat',
    )
    for (const sum of ['House boat are £400', 'Tug boat are £500', 'Blue boat are £600']) {
      expect(content).toContain(sum)
    }
    expect(content).toContain('**House boat:** Deposits')
    expect(content).toMatch(/- Small motor boat[^\n]*£120\n- Large motor boat[^\n]*£250/)
    expect(content).not.toContain('Cakes')
    expect(topics).not.toContain('House boat')
  })

  test('marks what it leaves out of a long passage, and offers its heading', () => {
    const about = (name: string): string =>
      [
        `A deposit is paid when the ${name} boat is taken.`,
        ...['dawn', 'noon', 'dusk', 'night'].map(
          (time) => `At ${time} it is cleaned by two people who come from the village near by.`,
        ),
        ...['May', 'June', 'July'].map(
          (month) => `In ${month} it is painted by the owner, who likes to do that by herself.`,
        ),
        `Deposits for the ${name} boat are £90.`,
      ].join(' ')
    const { content, topics } = ask(
      `## Green boat\n\n${about('green')}\n\n## Blue boat\n\n${about('blue')}`,
      'what deposit do scouts pay for a boat',
    )
    expect(content).toMatch(
      /\*\*Green boat:\*\* A deposit is paid when [^*]* … Deposits for the green boat are £90\./,
    )
    expect(topics).toContain('Green boat')
    expect(topics).not.toContain('Blue boat')
  })
})

test('a passage of which not all has room is quoted by the sentence that answers', () => {
  const messages = ['Bir ay şehir dışında olacağım, üyeliğimi dondurabiliyor muyum?']
  const asked = { site: 'yuzme', messages, facts: [], notFirst: [] } as const
  const { content } = askVisitor(asked, buildSite('yuzme')).answer
  expect(content).toContain('fotoğraflıdır ve dondurulamaz')
  expect(content.length).toBeLessThanOrEqual(1_320)
})

test('an excerpt has the sentence that takes a name back', () => {
  const painted = ['May', 'June', 'July', 'August', 'September', 'October'].map(
    (month) => `In ${month} the jetty is painted by the owner, who likes to do that by herself.`,
  )
  const content = `# Boats

## Boats for scouts

Scouts may take a boat of ours in spring. Rowing boats are what scouts like most.

## Boats for others

${painted.join(' ')} House boats. Not let to scouts. Canoes. Ask at the café for the keys of the shed.`
  const index = buildIndexSync(
    indexed('Boats', splitDocument({ kind: 'markdown', title: 'Boats', content })),
  )
  const question = 'house boats for scouts at christmas'
  const reading = readMessage(question, { locale: 'en' })
  const hits = search(index, reading.search, 8)
  const answer = answerFromPassages({ question, reading, hits, threshold: 0.35 })
  expect(answer.content).toContain('… House boats. Not let to scouts.')
})

test('a shortened quote is longer where room is left', () => {
  const sentences = ['keel', 'mast', 'rudder', 'jib', 'galley', 'anchor'].map(
    (part, at) =>
      `Number ${at + 1} of the ${part} checks that scouts make in spring takes the skipper nearly all of a long and windy morning.`,
  )
  const content = `# Boats

## Hire

Scouts may take a boat of ours in autumn. They bring their own ropes.

## Checks

${sentences.join(' ')}

## Café

Open in summer.`
  const index = buildIndexSync(
    indexed('Boats', splitDocument({ kind: 'markdown', title: 'Boats', content })),
  )
  const question = 'which badges do scouts get in autumn'
  const reading = readMessage(question, { locale: 'en' })
  const hits = search(index, reading.search, 8)
  const { content: reply } = answerFromPassages({ question, reading, hits, threshold: 0.35 })
  expect(reply.match(/Number \d/g)?.length).toBeGreaterThan(2)
})

test('a doubtful answer quotes two beside the first one, and names the page that the question is about', () => {
  const messages = ['trafik sigortası ne kadar']
  const asked = { site: 'sigorta', messages, facts: [], notFirst: [] } as const
  const { content } = askVisitor(asked, buildSite('sigorta')).answer
  expect(content).toContain('**Trafik Sigortası:** ')
  expect(content).toMatch(/\*\*Trafik Sigortası › Başlangıç fiyatları:\*\* [^*]*9\.800 TL/)
})

test('a question for days is not answered with months', () => {
  const messages = ['balkan turu kac gun']
  const asked = { site: 'rota', messages, facts: [], notFirst: [] } as const
  expect(askVisitor(asked, buildSite('rota')).answer.content).toContain('6 gece 7 gün')
})

describe('on a site of many pages', () => {
  const ask = (question: string) =>
    askVisitor(
      { site: 'homecare', messages: [question], facts: [], notFirst: [] },
      buildSite('homecare'),
    ).answer

  test('an answer is in doubt where neither heading nor title has a word of the question', () => {
    const { content, isUnsure } = ask('Is there a deposit')
    expect(isUnsure).toBe(true)
    expect(content).toContain('**Weekly prices:**')
  })

  test('a section that another page has too is named with its page', () => {
    const messages = ['can my daughter get her ears pierced she is 12']
    const asked = { site: 'tattoo', messages, facts: [], notFirst: [] } as const
    const { content } = askVisitor(asked, buildSite('tattoo')).answer
    expect(content).toContain('**Aftercare › Piercings:**')
    // What the search found first comes third: the rule for her age.
    expect(content).toContain('Aged 8 to 15')
  })

  test('one that has all that was asked is sure, and says under which heading it stands', () => {
    const { content, isUnsure } = ask("what's your CQC rating")
    expect(isUnsure).toBe(false)
    expect(content).toMatch(/^\*\*Quality and safety › Regulation:\*\* /)
  })
})
