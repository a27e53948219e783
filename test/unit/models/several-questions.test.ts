import { describe, expect, test } from 'vitest'
import { MAX_ANSWER_LENGTH } from '../../../server/models/embedded/answers/quotes.ts'
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
})
