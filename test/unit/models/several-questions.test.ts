import { describe, expect, test } from 'vitest'
import { search } from '../../../server/knowledge/search/search-index.ts'
import { MAX_ANSWER_LENGTH } from '../../../server/models/embedded/answers/quotes.ts'
import { buildReply } from '../../../server/models/embedded/answers/reply.ts'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'
import { splitQuestions } from '../../../server/models/embedded/understanding/several-questions.ts'
import { askVisitor, buildSite } from '../../quality/visitors.ts'

describe('the questions of a message', () => {
  test.each([
    ['Kargo ne kadar ve iade süresi kaç gün?', ['Kargo ne kadar', 'iade süresi kaç gün?']],
    ['do u do sunday roast and how much', ['do u do sunday roast', 'how much']],
    [
      'How much is a private lesson? My Turkish is not good. Does the teacher speak English?',
      ['How much is a private lesson?', 'Does the teacher speak English?'],
    ],
    [
      'kann ich meine reifen einlagern und was kostet das',
      ['kann ich meine reifen einlagern', 'was kostet das'],
    ],
    ['Nerdesiniz tam olarak, metroya yakın mı', ['Nerdesiniz tam olarak', 'metroya yakın mı']],
    ['هل لديكم خصم للطلاب وكم نسبته؟', ['هل لديكم خصم للطلاب', 'كم نسبته؟']],
  ])('are two: %s', (message, questions) => {
    expect(splitQuestions(message)).toEqual(questions)
  })

  test.each([
    'How much does shipping cost?',
    'Do you sell cups and plates?',
    'Kumaşı hakiki kadife mi, yoksa o parlak naylon şeylerden mi?',
    'can I pay by card or only in cash',
    'Do I have to book ahead or can we just turn up?',
    'Kimse telefona çıkmıyor! Şikayetimi nereye yazacağım?',
  ])('is one: %s', (message) => {
    expect(splitQuestions(message)).toEqual([])
  })
})

describe('the answer to a message that asks several questions', () => {
  const shop = buildSite('demo')
  const answerTo = (message: string) =>
    askVisitor({ site: 'demo', messages: [message], facts: [], notFirst: [] }, shop).answer

  test('answers each, in their order', () => {
    const { content, isUnsure } = answerTo('Kargo ne kadar ve iade süresi kaç gün?')
    expect(content).toMatch(/79 TL[^]*\n\n[^]*30 gün içinde/)
    expect(isUnsure).toBe(false)
    expect(answerTo('Where are you and what are your opening hours?').content).toMatch(
      /Moda Caddesi 42[^]*\n\n[^]*from 10 am to 8 pm/,
    )
  })

  test('names the language of its quotes once', () => {
    const { content } = answerTo('Was kostet der Versand und wie lange dauert die Lieferung?')
    expect(content).toMatch(/^Diese Auskunft haben wir auf Englisch:[^]*79 TL[^]*1–2 working days/)
    expect(content.match(/auf Englisch/g)).toHaveLength(1)
  })

  test('is as long as any other one at most, and says nothing twice', () => {
    const { content } = answerTo(
      'Do you ship to Germany? How long does it take? Can I pay in cash?',
    )
    expect(content.length).toBeLessThanOrEqual(MAX_ANSWER_LENGTH)
    expect(content.match(/5–8 working days/g)).toHaveLength(1)
    expect(content).toContain('cash on delivery')
  })

  test('names the question that no page answers, offers help, and is not sure', () => {
    const { content, isUnsure, confidence } = answerTo('Kargo ne kadar? Fil satıyor musunuz?')
    expect(content).toMatch(
      /79 TL[^]*“Fil satıyor musunuz” sorunuza bir yanıt bulamadım\. İletişim bilgilerinizi/,
    )
    expect({ isUnsure, confidence }).toEqual({ isUnsure: true, confidence: 0.5 })
  })

  test('is one beside what no site is asked', () => {
    const { content, isUnsure } = answerTo('Kargo ne kadar? Ve yarın hava nasıl olacak?')
    expect(content).toMatch(/79 TL[^]*“yarın hava nasıl olacak” sorunuza bir yanıt bulamadım/)
    expect(isUnsure).toBe(true)
    const { content: whole } = answerTo('Kargo ne kadar? Venedik maskesi satıyor musunuz?')
    expect(whole).toContain('“Venedik maskesi satıyor musunuz” sorunuza')
  })

  test.each([
    ['demo', 'Her gün açık mısınız? Kızım 30 hap içti, ne yapmalıyım?', '112'],
    ['demo', 'Kargo ücretsiz mi? Odada yangın var, ne yapayım?', '112'],
    ['boilers', 'How do I bleed my radiators? My son won’t stop bleeding, can you come?', '112'],
    [
      'ashgrove',
      'Do you treat sore gums? My husband is bleeding heavily, what should I do?',
      '112',
    ],
    ['seahotel', 'Is breakfast included? Fire in my room, where is the exit?', '112'],
  ] as const)('of %s begins with the emergency number: %s', (site, message, number) => {
    const { answer } = askVisitor(
      { site, messages: [message], facts: [], notFirst: [] },
      buildSite(site),
    )
    expect(answer.content.split('\n')[0]).toContain(number)
  })

  test.each([
    'When is the shop open? My son is missing, have you seen him?',
    'Kargo ne kadar? Oğlumu kaybettim, gördünüz mü?',
  ])('does not go on where somebody is missing: %s', (message) => {
    expect(answerTo(message).known).toBe(false)
  })
})

describe('the reply to a question beside a wish', () => {
  const shop = buildSite('demo')
  const site = {
    name: 'Demo',
    offer: 'form',
    hasBooking: true,
    takesContact: true,
    suggestions: [],
    personButton: () => '',
  } as const

  test.each([
    ['Kargo ne kadar? Siparişim nerede?', /79 TL[^]*\n\n[^]*sipariş/i],
    [
      'When are you open? I want to book an appointment, is that possible?',
      /10 am to 8 pm[^]*\n\nGladly!/,
    ],
  ])('answers both: %s', (question, expected) => {
    const reading = readMessage(question, { locale: 'en' })
    const hits = search(shop, reading.search, 8)
    const further = reading.further.map((each) => ({
      ...each,
      hits: search(shop, each.reading.search, 8),
    }))
    const reply = buildReply({ question, reading, hits, further, threshold: 0.35, site })
    expect(reply.content).toMatch(expected)
  })
})
