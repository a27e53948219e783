import { describe, expect, test } from 'vitest'
import { splitDocument } from '../../../server/knowledge/parsers/chunk.ts'
import { shareOfDetail } from '../../../server/lib/text/detail.ts'
import { buildIndexSync, search } from '../../../server/knowledge/search/search-index.ts'
import { answerFromPassages } from '../../../server/models/embedded/answers/answer.ts'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'
import { indexed } from '../../quality/documents.ts'
import { askVisitor, buildSite } from '../../quality/visitors.ts'

const INN = `# The Mill Inn

The house was built in 1784. Smoking is not allowed in the house.

## Rooms

Room 1 is step-free. Four rooms have a bath, the others a shower. Every room has a kettle and a desk.

## Arrival and departure

Check-in is from 3 pm. Late check-out until 1 pm costs £20. Early check-in is possible from 12 noon for £15.

## Dogs

Dogs are not allowed in the restaurant or the pool. In the six ground-floor rooms they are welcome for £15 a night.

## Booking

Book online, by phone or by email. The deposit is £30 a night.

## Cancelling

You can cancel for free up to 5 days before arrival. After that we keep the deposit.

## Rides

A Sunday morning hour for children is held on the closed airfield. No e-bikes on this ride.

## Address

The Mill Inn, 14 Weir Street, Ashford. The address for letters is the same.

## Post

We never send parcels abroad, and that includes Ireland.

## Courses

Recordings are not kept longer than a week. Pottery classes are in the evening.

## What we don't host

- Stag and hen parties
- Proms and discos

## Season tickets

You can buy a season ticket if:

- you live in the valley
- you work at the inn

You can't buy one if:

- you are under sixteen
- you own a holiday home`

const OTEL = `# Çınar Otel

## İptal

Girişten 10 gün öncesine kadar iptaller ücretsizdir.

## Odalar

Oda boşsa geç çıkış 18.00'e kadar ücretsizdir. Her odada minibar vardır. Deniz tarafındaki odalarda balkon vardır.

## Tur

Nehir turu pazartesi hariç her gün vardır.`

const indexOf = (title: string, content: string) =>
  buildIndexSync(indexed(title, splitDocument({ kind: 'markdown', title, content })))
const sites = { en: indexOf('The Mill Inn', INN), tr: indexOf('Çınar Otel', OTEL) }

function ask(question: string, locale: 'en' | 'tr'): string {
  const reading = readMessage(question, { locale })
  const hits = search(sites[locale], reading.search, 8)
  return answerFromPassages({ question, reading, hits, threshold: 0.35, locale }).content
}

describe('says neither yes nor no', () => {
  test.each([
    'are all rooms step-free',
    'do all rooms have a bath',
    'is there a bath in every room',
    'can I cancel for free one day before',
    'can I cancel for free the day before',
    'can I cancel for free on the day',
    'can I check in at 1 pm',
    'is the house old',
    'is there a ride on sunday',
    'can I turn up without a booking',
    'is there a book shop',
    'are classes in the morning',
    'do you allow dogs',
    'are dogs allowed',
    'do you do pottery classes only',
  ])('%s', (question) => {
    expect(ask(question, 'en')).not.toMatch(/^(?:Yes|No)\./)
  })

  test.each([
    'bir gün önce iptal ücretsiz mi',
    'aynı gün iptal ücretsiz mi',
    'boş oda var mı',
    'bütün odalarda balkon var mı',
    'pazartesi tur var mı',
  ])('%s', (question) => {
    expect(ask(question, 'tr')).not.toMatch(/^(?:Evet|Hayır)\./)
  })
})

describe('says yes or no', () => {
  test.each([
    ['does every room have a kettle', 'Yes'],
    ['is smoking allowed in the house', 'No'],
    ['is there any smoking in the house', 'No'],
    ['are dogs allowed in the restaurant', 'No'],
    ['are there evening pottery classes', 'Yes'],
    ['do you send parcels to ireland', 'No'],
  ])('%s: %s', (question, opening) => {
    expect(ask(question, 'en')).toMatch(new RegExp(`^${opening}`))
  })

  test.each([['her odada minibar var mı', 'Evet']])('%s: %s', (question, opening) => {
    expect(ask(question, 'tr')).toMatch(new RegExp(`^${opening}`))
  })

  test('once', () => {
    expect(ask('are e-bikes allowed on this ride', 'en')).not.toMatch(/^No\. No\b/)
  })
})

test('the address of the site is no sure answer about the visitor’s own', () => {
  expect(ask('how do I change my address', 'en')).not.toMatch(/^The Mill Inn, /)
})

function askTurkish(index: ReturnType<typeof indexOf>, question: string) {
  const reading = readMessage(question, { locale: 'tr' })
  const hits = search(index, reading.search, 8)
  return answerFromPassages({ question, reading, hits, threshold: 0.35, locale: 'tr' })
}

test('a car park is no free place on a course', () => {
  const courses = indexOf(
    'Kurs',
    '# Kurs\n\n## Adres\n\nBinanın arkasında kursiyerler için 6 arabalık ücretsiz park yeri vardır.',
  )
  const answer = askTurkish(courses, 'kursta yer kaldı mı')
  expect(answer.isUnsure || !answer.known).toBe(true)
})

test('a deposit of one service is told with its page where another one has a deposit too, without yes', () => {
  const asked = {
    site: 'halisaha',
    messages: ['kapora alıyor musunuz'],
    facts: [],
    notFirst: [],
  } as const
  const { content } = askVisitor(asked, buildSite('halisaha')).answer
  expect(content).toMatch(/^\*\*Rezervasyon ve iptal › Kapora ve ödeme:\*\* /)
})

test('what people of an age may not, is no no to all', () => {
  const hall = indexOf(
    'Menü',
    '# Menü\n\n## Alkollü içecekler\n\n18 yaşından küçüklere alkol servisi yapılmaz. Paketi seçmek isteğe bağlıdır.',
  )
  const { content, isUnsure } = askTurkish(hall, 'alkol servisi var mı')
  expect(isUnsure).toBe(false)
  expect(content).toMatch(/^18 yaşından küçüklere/)
})

test('after a yes, a long paragraph is not told to its end', () => {
  const wishes = [
    'Doğum günü pastanızı dışarıdan getirebilirsiniz. Tabak ve servis için ücret almıyoruz.',
    'Konfeti ve volkan maytap kullanılmasına izin vermiyoruz. Belirli bir masayı garanti etmiyoruz, ama isteğinizi not ederiz.',
    'Salonumuz yetmiş, bahçemiz doksan kişiliktir ve ikisi de ısıtılır. Girişte tekerlekli sandalye için rampa vardır.',
    'Mama sandalyesi isteyen misafirlerimiz bunu rezervasyonda söyler. Cumartesi akşamları canlı müzik vardır ve ön masalar dolar.',
    'Köpekler bahçede tasmalı olarak kabul edilir; salona yalnızca rehber köpekler girebilir. Sigara yalnızca bahçenin arka bölümünde içilebilir.',
  ]
  const hall = indexOf('Rezervasyon', `# Rezervasyon\n\n## İstekleriniz\n\n${wishes.join(' ')}`)
  const { content } = askTurkish(hall, 'doğum günü için pasta getirebilir miyiz')
  expect(content).toMatch(/^Evet\. Doğum günü pastanızı/)
  expect(content).not.toContain('Sigara')
})

test('the answer to a question of the page stands under it, where the visitor asks another one', () => {
  const hall = indexOf(
    'Salon',
    "# Salon\n\n## Kendi DJ'imizi veya orkestramızı getirebilir miyiz?\n\nEvet, ücret almayız; ama paketten de düşmeyiz.",
  )
  expect(askTurkish(hall, 'dj var mı').content).toContain(
    "**Kendi DJ'imizi veya orkestramızı getirebilir miyiz?** Evet",
  )
})

test('a street in a sentence is no address', () => {
  expect(shareOfDetail('address', 'sokagin basindaki ucretli otopark 80 metre uzakta')).toBe(0)
  expect(shareOfDetail('address', 'ceviz sokak no: 14, tepebasi')).toBe(1)
  expect(shareOfDetail('address', "the 75 and 76 stop on east street's southern end")).toBe(0)
  expect(shareOfDetail('address', '14 north weir street, ashford')).toBe(1)
})

describe('on a site of water purifiers', () => {
  const askPurifiers = (question: string) =>
    askVisitor({ site: 'suaritma', messages: [question], facts: [], notFirst: [] }, site).answer
  const site = buildSite('suaritma')

  test('that filters are changed is no yes to changing them oneself', () => {
    const { content, isUnsure } = askPurifiers('Filtreyi kendim değiştirebilir miyim')
    expect(isUnsure).toBe(true)
    expect(content).not.toMatch(/^Evet/)
    expect(content).toContain('evde kolayca değişir')
  })

  test('that opened filters are not taken back is no no to returns', () => {
    expect(askPurifiers('iade var mı').content).not.toMatch(/^Hayır/)
  })
})

describe('what stands under a denial keeps it', () => {
  test('a list of what is not done comes under its heading, without yes', () => {
    expect(ask('do you host stag parties', 'en')).toBe(
      "**What we don't host:** Stag and hen parties.",
    )
  })

  test('an item comes after the sentence that takes it back', () => {
    expect(ask('can owners of a holiday home buy a season ticket', 'en')).toMatch(
      /You can't buy one if:[^]*you own a holiday home/,
    )
  })
})
