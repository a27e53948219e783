import { describe, expect, test } from 'vitest'
import { writtenForm } from '../../../server/lib/text/colloquial.ts'
import { isMistyped } from '../../../server/lib/text/edit-distance.ts'
import { fold } from '../../../server/lib/text/fold.ts'
import { detectLanguage } from '../../../server/lib/text/language.ts'
import { readOwnNumbers, readQuantities } from '../../../server/lib/text/quantity.ts'
import { isEverydayWord } from '../../../server/lib/text/stop-words.ts'
import { readDetail } from '../../../server/models/embedded/understanding/details.ts'
import { endsLikeVerb } from '../../../server/lib/text/turkish-verbs.ts'

test.each([
  'çiçek var mı',
  'sıcak su var mı',
  'bıçak bileme ne kadar',
  'yosun temizliği ne kadar',
  'başvuru formu nerede',
  'yangın alarmı ne zaman denenir',
])('a noun that ends like a spoken verb stays as it is: %s', (message) => {
  expect(writtenForm(message, 'tr')).toBe(message)
})

test.each([
  ['yarın gelicek misiniz', 'yarin gelecek misiniz'],
  ['bugün olurmu', 'bugun olur mu'],
  ['tatilde çalışıyormusunuz', 'tatilde calisiyor musunuz'],
])('a spoken verb is written out: %s', (message, written) => {
  expect(fold(writtenForm(message, 'tr'))).toBe(written)
})

test('an id is a document, and id like is a wish', () => {
  expect(writtenForm('what id do I need', 'en')).toBe('what id do I need')
  expect(writtenForm('id like to book a room', 'en')).toBe('i would like to book a room')
})

test.each([
  ['tr', 'belgeleri elden versem olur mu'],
  ['tr', 'bir gün alsam ne kadar'],
  ['tr', 'yarım gün alabilir miyim'],
  ['en', 'can you give me a call back'],
  ['en', 'who covers for Jo on holiday'],
  ['en', 'want it for saturday, how much is a hybrid'],
] as const)('%s: “%s” means what it says', (language, message) => {
  expect(writtenForm(message, language)).toBe(message)
})

test.each([
  ['tr', 'elden versem olur mu', 'nakit'],
  ['tr', 'parayı elden versem olur mu', 'nakit'],
  ['tr', 'gün almak istiyorum', 'randevu'],
  ['tr', 'kart geçiyor mu', 'kredi kartı'],
  ['tr', 'patron kim', 'sahibi'],
  ['en', 'do I get my money back', 'refund'],
  ['en', 'can I bring it back', 'return'],
  ['en', 'what time is check in', 'arrival'],
  ['en', 'when is check-out', 'departure'],
  ['en', 'can you pick us up from the station', 'transfer'],
  ['tr', 'check in saat kaçta', 'giriş'],
] as const)('%s: “%s” is also searched as %s', (language, message, meaning) => {
  expect(writtenForm(message, language)).toContain(meaning)
})

describe('a word near a small one', () => {
  test.each([
    ['beer', 'been'],
    ['theme', 'there'],
    ['thai', 'that'],
    ['wall', 'will'],
    ['shell', 'shall'],
    ['nasır', 'nasil'],
    ['daire', 'dair'],
  ])('%s is no %s typed wrongly', (word, meant) => {
    expect(isMistyped(fold(word), meant)).toBe(false)
  })

  test.each([
    ['whcih', 'which'],
    ['nasl', 'nasil'],
    ['wwhat', 'what'],
    ['wherw', 'where'],
    ['hiw', 'how'],
  ])('%s is %s typed wrongly', (word, meant) => {
    expect(isMistyped(word, meant)).toBe(true)
  })
})

describe('words that go with any topic', () => {
  test.each([
    ['en', 'honestly'],
    ['en', 'guys'],
    ['tr', 'illa'],
    ['tr', 'falan'],
    ['de', 'ziemlich'],
    ['ar', 'طيب'],
  ] as const)('%s: %s may be missing from an answer', (language, word) => {
    expect(isEverydayWord(fold(word), language)).toBe(true)
  })

  test.each([
    ['en', 'awful'],
    ['tr', 'rezalet'],
    ['de', 'schlecht'],
    ['en', 'spoken'],
  ] as const)('%s: %s is a complaint or a topic', (language, word) => {
    expect(isEverydayWord(fold(word), language)).toBe(false)
  })

  test.each(['verdiğiniz', 'gelince', 'sormadan', 'bitirmiş', 'bakarlar'])(
    '%s ends like a verb',
    (word) => {
      expect(endsLikeVerb(fold(word))).toBe(true)
    },
  )
})

test.each([
  ['konum at', 'tr'],
  ['adres at', 'tr'],
  ['iş saatleri', 'tr'],
  ['is saatleri', 'tr'],
  ['Frühstück?', 'de'],
  ['Frühstück inklusive', 'de'],
  ['Schlüssel verloren', 'de'],
  ['günstiges Zimmer', 'de'],
  ['breakfast 7 am?', 'en'],
  ['is breakfast included', 'en'],
  ['at the weekend?', 'en'],
  ['gönüllü olmak', 'tr'],
] as const)('“%s” is written in %s', (message, language) => {
  expect(detectLanguage(message)).toBe(language)
})

test.each(['mail at', 'on odeme', 'on kayit', 'is basvurusu'])(
  '“%s” is not taken for English',
  (message) => {
    expect(detectLanguage(message)).not.toBe('en')
  },
)

describe('a number that is no age', () => {
  test.each([
    '2 yastık istiyorum',
    '2 yaş pasta',
    'en az 4 yıldızlı otel',
    '2 senet var',
    "15'inde gelsek olur mu",
    'im 5. Stock links',
  ])('%s', (message) => {
    const read = readOwnNumbers(fold(message)).map(({ dimension }) => dimension)
    expect(read).not.toContain('age')
    expect(read).not.toContain('time')
  })

  test.each([
    ["oğlum 15'inde", 15],
    ['6 yaşındaki çocuk', 6],
    ['6 yas icin', 6],
    ['im 72', 72],
  ])('%s has one', (message, years) => {
    expect(readOwnNumbers(fold(message))).toContainEqual(
      expect.objectContaining({ dimension: 'age', low: years }),
    )
  })

  test('a span in words has both ends', () => {
    expect(readQuantities(fold('vier bis sechs Personen'))).toEqual([
      { dimension: 'people', low: 4, high: 6, isLimit: true },
    ])
  })
})

test.each([
  ['cuma kaça kadar', 'hours'],
  ['hafta sonu kaça kadar açıksınız', 'hours'],
  ['sizi nasıl ararım', 'phone'],
] as const)('“%s” asks for the %s', (message, detail) => {
  expect(readDetail(fold(message), 'tr')).toBe(detail)
})

test('a repair of clocks is not asked by the hour', () => {
  expect(readDetail(fold('saat tamiri yapar mısınız'), 'tr')).toBe(undefined)
  expect(readDetail(fold('tam saat kaçta açılıyorsunuz'), 'tr')).toBe('hours')
})

test.each([
  ['Wie sind die Oeffnungszeiten?', 'Wie sind die Öffnungszeiten?'],
  ['Haben Sie fuer Kaese auch Koerbe?', 'Haben Sie für Käse auch Körbe?'],
  ['neue Steuer, aktuell, Poet, Michael, Bauer, quer', undefined],
])('“%s” gets its umlauts', (message, written = message) => {
  expect(writtenForm(message, 'de')).toBe(written)
})
