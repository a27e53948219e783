import { shareOfDetail } from '../../../server/lib/text/detail.ts'
import { fold } from '../../../server/lib/text/fold.ts'
import { describe, expect, test } from 'vitest'
import { splitDocument } from '../../../server/knowledge/parsers/chunk.ts'
import { buildIndexSync, search } from '../../../server/knowledge/search/search-index.ts'
import { answerFromPassages } from '../../../server/models/embedded/answers/answer.ts'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'
import { indexed } from '../../quality/documents.ts'

const SHOP = `# Thornbury & Finch

We hire out instruments. Hire first, buy later. Every hire instrument is checked.

## Address

Please do not park in front of the gate.

Thornbury & Finch, The Old Button Factory, 14 Spindle Row, Hexley HX9 4QT

## Shop hours

| Day | Open |
|---|---|
| Monday | Closed |
| Tuesday to Friday | 9.30 am – 5.30 pm |
| Saturday | 9 am – 4 pm |

In September we open on Mondays too, from 1 pm to 5.30 pm.

## Piano tuning

| Service | Price |
|---|---|
| Standard tuning, upright | £72 |
| Pitch raise (piano not tuned for years) | £40 extra |
| Inspection | £55 |

## Amplifiers

| Amplifier | Price a week |
|---|---|
| 20 W | £18 |
| 100 W | £46 |

Ordering an amplifier together with a guitar brings its price down by £5. The plug is fused.

## Care plan for pianos

£138, two visits included. Small repairs are done in between. It renews itself. Tell us by May if you want to stop. Pianos in schools cost £20 more on the yearly care plan.

## Discounts

- Schools and churches: 10%
- Teachers: 7%

Discounts are not combined. The higher one counts.

## Turnaround

| Repair | Time |
|---|---|
| Harpsichord | 3 – 4 weeks |
| Accordion | 5 – 6 weeks |

## Repairs

| Repair | Price |
|---|---|
| Restringing, grand harpsichord (Flemish and similar) | £480 |
| Accordion reeds | £210 |

## The house

It was built in 1864. You may walk around the workshop on our open day, which is the second Saturday of October.

## Frequently asked questions

**May I bring my dog into the shop?** Yes, on a lead. Only the practice rooms are off limits.

**Is there a toilet?** Yes, on the ground floor, with baby changing.
`
const HIRE = `# Instrument hire

${['Violin', 'Viola', 'Cello', 'Flute', 'Clarinet', 'Trombone']
  .map(
    (name) =>
      `## ${name}\n\nThe hire of a ${name.toLowerCase()} is monthly, and every hire ends when you like.`,
  )
  .join('\n\n')}

## Lockers

A locker can be rented by the month.
`

const TRANSLATORS = `# Lalezar

${['Diplomalar', 'Sözleşmeler', 'Web siteleri', 'Kitaplar']
  .map(
    (heading) =>
      `## ${heading}\n\nBunların çevirisini aynı hafta teslim ediyoruz. Çeviri ayrıca okunur.`,
  )
  .join('\n\n')}

## Fiyatlar

Evlilik cüzdanı çevirisi 440 TL'dir. Ehliyet çevirisi 410 TL'dir.
`

const STUDIO = `# Stillwater

## Quotes

WhatsApp a picture of your lock to 07700 900418, and we answer with a fixed figure.

## Emergencies

Our emergency line is answered day and night: 0114 496 0172. We come within 40 minutes.
`

const KENNEL = `# Pati Pansiyon

${['Bahçe', 'Odalar', 'Mama', 'Oyun', 'Bakım', 'Sağlık']
  .map((name) => `## ${name}\n\n${name} için ücret alınmaz. Köpekler her gün gezer.`)
  .join('\n\n')}

## Normal dönem

| Misafir | Gecelik |
|---|---|
| Kedi | 520 TL |
| Küçük ırk (10 kg'a kadar) | 680 TL |
| Orta ırk (10-25 kg) | 790 TL |
| Büyük ırk (25 kg üzeri) | 940 TL |

## Uzun konaklama

15 geceyi aşan konaklamalarda %10 indirim yapılır.

## Kimler gelebilir

12 yaşını geçen köpekler için kan tahlili isteriz.
`

const indexOf = (...documents: string[]) =>
  buildIndexSync(
    documents.flatMap((content) => {
      const title = content.slice(2, content.indexOf('\n'))
      return indexed(title, splitDocument({ kind: 'markdown', title, content }))
    }),
  )
const index = indexOf(SHOP, HIRE)

function answerTo(question: string, site = index): { content: string; known: boolean } {
  const reading = readMessage(question, { locale: 'en' })
  const hits = search(site, reading.search, 8)
  return answerFromPassages({ question, reading, locale: 'en', hits, threshold: 0.35 })
}

const PARCELS = `# Kordon Saat

${['Pil', 'Kayış', 'Cam', 'Kurma', 'Vitrin', 'Kutu']
  .map((name) => `## ${name}\n\n${name} değişimi için saatinizi getirin. Aynı gün yapılır.`)
  .join('\n\n')}

## Teslim süresi

Kargo Eskişehir içinde 1 iş günü, diğer illerde 2-3 iş günü içinde teslim edilir.

## İndirimler

Sağlık çalışanlarına yüzde 8, ilk siparişe yüzde 5 indirim yapılır.

## İletişim

Telefon: 0222 555 01 87. Arifiye Mahallesi, Kunduracılar Sokak No: 14.

## Fotoğraf gönderme

Saatinizin fotoğrafını 0532 555 14 87 numaralı WhatsApp hattına gönderebilirsiniz.
`

describe('an answer that need not name what was asked with it', () => {
  const parcels = indexOf(PARCELS)

  test('is that on what is sent, whichever the city is', () => {
    expect(answerTo('bursaya kargo kaç günde gelir', parcels).content).toContain('2-3 iş günü')
    expect(answerTo('hemşireyim bana indirim var mı', parcels).content).toContain('yüzde 8')
  })

  test('has the number of WhatsApp where that is asked for', () => {
    expect(answerTo('wp numaranız ne', parcels).content).toContain('0532 555 14 87')
    expect(answerTo('telefon numaranız ne', parcels).content).toContain('0222 555 01 87')
  })
})

describe('an answer from a page with two numbers', () => {
  const studio = indexOf(STUDIO)

  test('has the number to call, not one for messages', () => {
    expect(answerTo("what's your phone number", studio).content).toContain('0114 496 0172')
  })
})

describe('an answer on a number with its unit', () => {
  const kennel = indexOf(KENNEL)

  test.each([
    ['8 kiloluk köpek gecelik fiyat', '680 TL'],
    ['14 kilo köpek bir gece ne kadar', '790 TL'],
    ['20 gün kalcak indirim olurmu', '15 geceyi aşan'],
  ])('has the limit that the number is within: %s', (question, fact) => {
    expect(answerTo(question, kennel).content).toContain(fact)
  })
})

describe('an answer from a shop’s pages', () => {
  test('has the hours of all days, also where the first one is a closed day', () => {
    expect(answerTo('opening hours').content).toContain(
      '- Monday — Closed\n- Tuesday to Friday — 9.30 am – 5.30 pm\n- Saturday — 9 am – 4 pm',
    )
  })

  test('knows a British address by its postcode', () => {
    expect(answerTo('where are you').content).toMatch(/^Thornbury & Finch, The Old Button Factory/)
  })

  test.each([
    ['Second unit at the same address: £95.', 0],
    ['E-mail address: office@mill.example', 0],
    ['Our address: The Old Mill, Diss', 1],
    ['Adres: Moda Caddesi 42', 1],
  ])('takes “%s” for an address: %i', (sentence, share) => {
    expect(shareOfDetail('address', fold(sentence))).toBe(share)
  })

  test('has the whole list of prices where the question names its heading', () => {
    expect(answerTo('how much is a piano tuning').content).toContain('upright — £72\n- Pitch raise')
    expect(answerTo('how much is an inspection').content).toMatch(/^Inspection — £55/)
  })

  test('quotes the answer of the question that was asked, and no other', () => {
    const { content } = answerTo('can i bring my dog into the shop')
    expect(content).toMatch(/Yes, on a lead\. Only the practice rooms are off limits\.$/)
    expect(content).not.toContain('toilet')
  })

  test('has the prices of the list that a remark on the price follows', () => {
    expect(answerTo('what is the price for the 20w amplifier with the guitar').content).toContain(
      '20 W — £18',
    )
  })

  test('has the list that a remark with no more than the heading follows', () => {
    expect(answerTo('i am a nurse any discount').content).toContain('Teachers: 7%')
  })

  test('tells no price where a time is asked for', () => {
    const { content } = answerTo('how long would you keep a grand harpsichord for')
    expect(content).toContain('Harpsichord — 3 – 4 weeks')
    expect(content).not.toContain('£')
  })

  test('has the rest of a short paragraph when it is sure', () => {
    const { content } = answerTo('how much is the yearly care plan for pianos in schools')
    expect(content).toContain('Pianos in schools cost £20 more')
    expect(content).toContain('£138, two visits included')
  })

  test('takes an open day for no opening hours', () => {
    expect(answerTo('when is the open day').content).toContain('second Saturday of October')
  })

  test('takes the yes to another question for none', () => {
    const { content, known } = answerTo('is there a toilet for wheelchair users')
    expect(content).not.toMatch(/^Yes/)
    expect(known).toBe(false)
    expect(answerTo('is there a toilet').content).toMatch(/^Yes, on the ground floor/)
  })

  test('takes the word that the site says everywhere for one that it says once', () => {
    const { content } = answerTo('can i rent a cello')
    expect(content).toContain('The hire of a cello is monthly')
    expect(content).not.toContain('locker')
  })

  test('translates where that is the trade, and nowhere else', () => {
    const translators = indexOf(TRANSLATORS)
    expect(answerTo('كم سعر ترجمة رخصة القيادة', translators).content).toContain('410 TL')
    expect(answerTo('translate this to german: my dog is hungry').known).toBe(false)
  })

  test('finds a term of two words from another language’s one', () => {
    const { content } = answerTo('was kostet eine heiratsurkunde', indexOf(TRANSLATORS))
    expect(content).toContain('440 TL')
  })
})

const SMOKEHOUSE = `# Bramble Smokehouse

${['Ham', 'Bacon', 'Pies', 'Cheese', 'Gifts', 'Visits']
  .map((name) => `## ${name}\n\nWe make our ${name.toLowerCase()} on Mondays.`)
  .join('\n\n')}

## Inside our sausages

| Sausage | Inside |
|---|---|
| Plain | pork, wheat, pepper |
| Farmhouse | pork, wheat, mustard |

We do all of it in one room, so we can't promise “free from” to anyone. Every batch is tasted.

## Guarantee

| Part | Time |
|---|---|
| Smoker | 5 years |
| Door | 2 years |
| Fan | 12 years, with a guarantee card |

## Calling off

| Days before | Refund of the deposit |
|---|---|
| more than 30 | all |
| less | half |

## Animals

Assistance dogs are welcome and get a bowl of water. Other animals must stay outside.
`

describe('an answer that somebody relies on', () => {
  const site = indexOf(SMOKEHOUSE)

  test('begins with what a kitchen cannot promise, where somebody is allergic', () => {
    const { content } = answerTo(
      'What is in your sausages? My daughter is allergic to mustard.',
      site,
    )
    expect(content).toMatch(
      /^(?:.+\n\n)?(?:\*\*.+\*\* )?We do all of it in one room.+\n\n?- Plain/s,
    )
    expect(answerTo('what is in your sausages', site).content).toContain('Plain — pork')
  })

  test('has all rows where no row is named', () => {
    const { content } = answerTo('how many years of guarantee', site)
    expect(content).toContain('5 years')
    expect(content).toContain('12 years')
  })

  test('names the column without which a value means something else', () => {
    const { content } = answerTo('what do i get back when i call off 40 days before', site)
    expect(content).toContain('more than 30 — Refund of the deposit: all')
  })

  test('says no yes to one of the others', () => {
    const { content } = answerTo('can i bring my dog', site)
    expect(content).not.toMatch(/^Yes/)
    expect(content).toContain('Other animals must stay outside')
  })
})
