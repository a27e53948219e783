import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fold } from '../../../server/lib/text/fold.ts'
import { writtenForm } from '../../../server/lib/text/colloquial.ts'
import { detectLanguage } from '../../../server/lib/text/language.ts'
import { createStemmer } from '../../../server/lib/text/stemmer.ts'
import { isEverydayWord, isMeasureWord } from '../../../server/lib/text/stop-words.ts'
import { beginsLikeVerb, verbRoots } from '../../../server/lib/text/turkish-verbs.ts'
import { readDetail } from '../../../server/models/embedded/understanding/details.ts'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'
import { isUpset } from '../../../server/models/embedded/understanding/narrative.ts'
import {
  asksForJob,
  readOffTopic,
} from '../../../server/models/embedded/understanding/off-topic.ts'
import { readKind } from '../../../server/models/embedded/understanding/question-kind.ts'
import { readWish } from '../../../server/models/embedded/understanding/wishes.ts'

const wishOf = (message: string) => readWish(fold(message))

describe('what a visitor wants done', () => {
  test.each([
    'siparişimi iptal etmek istiyorum',
    'yanlış adres yazdım',
    'adresimi yanlış girmişim',
    'can i change my order',
    'i gave the wrong shipping address',
    'ich habe die falsche lieferadresse angegeben',
    'كتبت عنواني خطأ',
    'أريد تغيير العنوان',
  ])('“%s” is an order to change', (message) => {
    expect(wishOf(message)).toBe('change')
  })

  test.each([
    'what should i change in order to get a discount',
    'kargo yanlış adrese gelirse ne olur',
    'adresiniz nerede',
  ])('“%s” is a question for the documents', (message) => {
    expect(wishOf(message)).toBeUndefined()
  })
})

test.each(['ürün elime ulaşmadı 10 gündür bekliyorum', 'sipariş hala gelmedi', 'kargom nerede'])(
  '“%s” is an order to look for',
  (message) => {
    expect(wishOf(message)).toBe('order')
  },
)

describe('who writes', () => {
  test.each(['are you hiring', 'can i work for you', 'iş ilanınız var mı', 'هل عندكم وظائف'])(
    '“%s” asks for work',
    (message) => {
      expect(asksForJob(fold(message))).toBe(true)
    },
  )

  test.each(['do you work at your customers’ houses', 'would the lamp work at your house'])(
    '“%s” does not',
    (message) => {
      expect(asksForJob(fold(message))).toBe(false)
    },
  )

  test('is upset by an own word only, not by the name of a thing', () => {
    expect(isUpset(fold('i am angry about this'))).toBe(true)
    expect(isUpset(fold('çok üzüldüm'))).toBe(true)
    expect(isUpset(fold('çalışanınız bana kaba davrandı'))).toBe(true)
    expect(isUpset(fold('your driver was rude to me'))).toBe(true)
    expect(isUpset(fold('do you sell angry orchard cider'))).toBe(false)
  })
})

test.each([
  'could you write me a cover letter',
  'ay dünyaya kaç km uzakta',
  'how far away is the moon',
])('“%s” has nothing to do with any site', (message) => {
  expect(readOffTopic(message).isOffTopic).toBe(true)
})

test.each([
  'please tell me when deliveries resume',
  'how far away is the sun terrace',
  'ay dünyası mağazası nerede',
])('“%s” may be about a site', (message) => {
  expect(readOffTopic(message).isOffTopic).toBe(false)
})

test.each([
  'do you train dogs',
  'otobüs lastiği var mı',
  'metro gelinlik',
  'can i come by bus with my dog',
])('“%s” does not ask for the way', (message) => {
  expect(readKind(fold(message)).kind).not.toBe('transport')
})

test('a day is the same with its ending', () => {
  const stemmer = createStemmer()
  expect(stemmer.forms('günde')).toContain('gun')
  expect(stemmer.forms('gecelik')).toContain('gece')
  expect(stemmer.forms('saatten')).toContain('saat')
  expect(stemmer.forms('gündem')).not.toContain('gun')
  expect(stemmer.forms('güneş')).not.toContain('gun')
})

test('a projector is no project', () => {
  expect(isEverydayWord(fold('projeksiyon'))).toBe(false)
  expect(isEverydayWord(fold('projeniz'))).toBe(true)
})

describe('a question that goes on with the one before', () => {
  const goesOn = (message: string) =>
    readMessage(message, { locale: 'en', question: 'can i borrow a glider for a few days' })
      .isFollowUp

  test.each([
    'and what if i splash down in the sea with it',
    'vekaletname olunca da mı',
    'is the helmet included',
    'for my son as well?',
    'kutuyu dün akşam evde açtım ama',
    'buzdolabı kaç litre peki',
  ])('is “%s”', (message) => {
    expect(goesOn(message)).toBe(true)
  })

  test('is none that asks what there is', () => {
    expect(goesOn('is there a parking lot near the launch site')).toBe(false)
    expect(goesOn('can we have our lunch there')).toBe(true)
  })

  test('is none that names its own topics in many words', () => {
    expect(goesOn('can we bring our own sandwiches and eat them by the launch site')).toBe(false)
  })
})

test.each([
  ['good evening is breakfast included', 'is breakfast included'],
  ['Good morning, do you have parking?', 'do you have parking?'],
  ['morning, can i book', 'can i book'],
  ['Guten Morgen, haben Sie offen?', 'haben Sie offen?'],
  ['morning classes?', 'morning classes?'],
])('a greeting is not searched: %s', (message, question) => {
  expect(readMessage(message, { locale: 'en' }).search.question).toBe(question)
})

describe('what people type', () => {
  test('is Turkish without its letters, also beside words that look English', () => {
    expect(detectLanguage('subatta bi spiral is birakmistim 5 ay oldu gelemedim')).toBe('tr')
    expect(detectLanguage('| Monday | 9am – 5pm | Tuesday | 9am – 5pm |')).not.toBe('de')
    expect(detectLanguage('Clean once daily; rinse once weekly.')).not.toBe('tr')
    expect(detectLanguage('embryo transfer')).not.toBe('tr')
    expect(detectLanguage('Price list: filling 2,400 TL, implant 28,000 TL, crown 9,000 TL')).toBe(
      'en',
    )
  })

  test.each([
    ['en', 'wot if theyre late', 'what if they are late'],
    ['en', 'is it ok to bring my cat', 'can i bring my cat'],
    ['en', 'will my piano be ok?', 'will my piano be ok?'],
    [
      'en',
      'how long have you been open on saturdays?',
      'how long have you been open on saturdays?',
    ],
    ['en', 'can i take money off my card', 'can i take money off my card'],
    ['tr', 'haftaici kacta açılıyo', 'hafta içi kaçta aciliyor'],
    ['tr', 'portfolio var mı', 'portfolio var mı'],
    ['tr', 'kaç senedir varsınız siz', 'ne zaman kuruldu'],
    ['tr', 'kaç yılında açıldı firma', 'kaç yılında kuruldu firma'],
    ['tr', 'buranın sahibi kim', 'buranın kurucu sahibi kim'],
    ['tr', 'aracın sahibi kimlik getirmeli mi', 'aracın sahibi kimlik getirmeli mi'],
    [
      'tr',
      'kaç yıldır hizmet veriyorsunuz, hiç kaza oldu mu',
      'kaç yıldır hizmet veriyorsunuz, hiç kaza oldu mu',
    ],
    ['tr', 'buranın başında kim var', 'buranın başında kim var kurucu sahibi müdürü'],
    ['tr', 'elden ödesem olur mu', 'elden ödesem nakit ödeme olur mu'],
    ['tr', 'hepsini birden veremem', 'hepsini birden veremem taksit'],
    ['tr', 'önden para istiyo musunuz', 'önden para istiyor ön ödeme kapora musunuz'],
    ['tr', 'kirik cikti kutudan', 'kirik cikti hasarlı kutudan'],
    ['tr', 'gözlüğümü sizde unutmuşum', 'gözlüğümü sizde unutmuşum kayıp unutulan eşya'],
    ['tr', 'öğle molanız kaçta', 'öğle molanız öğle arası kaçta'],
    ['tr', 'ödiycem', 'odeyeceğim'],
    ['tr', 'nereye koyucam', 'nereye koyacağım'],
    ['tr', 'gerçek mi bu', 'gerçek mi bu'],
    ['tr', 'üç gün almanca kursu', 'üç gün almanca kursu'],
    ['en', 'can you knock a bit off', 'can you knock a bit off negotiable discount'],
    ['en', 'can i pay it off bit by bit', 'can i pay it off bit by bit instalments'],
    ['en', 'can i just rock up', 'can i just rock up without an appointment'],
    ['en', 'it came smashed', 'it came smashed arrived broken'],
    ['en', 'i left my brolly at yours', 'i left my umbrella at yours lost property left behind'],
    ['en', 'is there a piece of paper in the box', 'is there a piece of paper in the box'],
    ['en', 'i came up against a wall', 'i came up against a wall'],
    ['en', 'how much is a 1-2-1', 'how much is a private one to one'],
    ['en', 'do you do 121 lessons', 'do you do private one to one lessons'],
    ['en', 'which bus, 121 or 15', 'which bus, 121 or 15'],
    ['en', 'do you have 1:1 models', 'do you have 1:1 models'],
    ['en', 'can i come on 1-1-2027', 'can i come on 1-1-2027'],
    ['en', 'is lunch 1 to 1:30', 'is lunch 1 to 1:30'],
    ['en', 'can you pick him up', 'can you pick him up'],
    ['en', 'can my mum pick him up', 'can my mum pick him up collect collection'],
    ['tr', 'resim atıyonuzmu', 'resim atiyorsunuz mu'],
    ['tr', 'tırnak kestircem', 'tırnak kestireceğim'],
    ['tr', 'soğuk olmaz dimi', 'soğuk olmaz değil mi'],
    ['tr', 'watsaptan yazsam ne kdr sürer', 'whatsapp yazsam ne kadar sürer'],
  ] as const)('is written out: %s “%s”', (language, typed, written) => {
    expect(writtenForm(typed, language)).toBe(written)
  })

  test.each([
    'sizde oda kaldı mı',
    'karavan için park yeri var mı',
    'güzellik var mı',
    'ilacı kaç gün almalıyım',
    'arabayı bırakabilir miyim',
    'düğüne yetişir mi pasta',
    'hemen lazım değil',
    'acil yetişkin diş hekimi',
    'kartım başka bankadan',
    'yolda kaybolduk nasıl geliriz',
    'havuz ne zamandan beri açık',
    'başka yeriniz ağrıyor mu',
    'ilaca ara vermek gerekir mi',
    'turist vergisi dahil mi',
    'kim odun getiriyor',
    'face yoga',
  ])('says what it says, in Turkish: %s', (message) => {
    expect(writtenForm(message, 'tr')).toBe(message)
  })

  test.each([
    'can i get online check-in',
    'can i sit in a chair',
    'who runs the yoga class',
    'who is in charge of weddings',
    'do your cups come in pieces',
    'can you turn up the heating',
    'the payment did not show up',
    'my brakes are a bit off',
    'i can not make it work',
    'i left my daughter with you',
    'should i give my email at check-in',
    'can i arrive in time for breakfast',
    'what do i need to put down on the form',
    'i just want to look younger',
    'what is the ph of the pool',
    'what are the specs of this bike',
    'best price guarantee',
  ])('says what it says, in English: %s', (message) => {
    expect(writtenForm(message, 'en')).toBe(message)
  })

  test('asks for no hours where something is to be opened', () => {
    expect(readKind('should i get you to open it up').kind).not.toBe('hours')
    expect(readKind('are you open on sunday').kind).toBe('hours')
  })

  test('asks when a shop shuts, and where an office is', () => {
    const time = writtenForm('wot time does the office shut on a weekday', 'en')
    expect(readDetail(fold(time), 'en')).toBe('hours')
    expect(readDetail(fold('أين عنوان المكتب'), 'ar')).toBe('address')
  })

  test.each([
    ['can i come in on a monday', 'en'],
    ['pazar günü gelsem olur mu', 'tr'],
  ] as const)('asks for the hours by a visit: %s', (message, language) => {
    expect(readDetail(fold(message), language)).toBe('hours')
  })

  test.each([
    ['restoran kaçta açılıyor', 'tr'],
    ['eczane nerede', 'tr'],
    ['gym opening hours', 'en'],
  ] as const)('does not ask for those of the business: %s', (message, language) => {
    expect(readDetail(fold(message), language)).toBeUndefined()
  })

  test.each([
    ['where abouts are you, postcode for satnav', 'address'],
    ['how do i find you', 'address'],
    ['dükkan nerde kalıyo', 'address'],
    ['posta kodunuz nedir', 'address'],
    ['وين موقعكم', 'address'],
    ['can i call someone', 'phone'],
    ['sizi nasıl arayabilirim', 'phone'],
    ['hangi numaradan ulaşabilirim', 'phone'],
    ['kann ich euch anrufen', 'phone'],
    ['where do i email', 'email'],
    ['mail atcam adres ne', 'email'],
    ['hangi saatler arası açıksınız', 'hours'],
    ['wann habt ihr auf', 'hours'],
    ['wann macht ihr am Samstag zu', 'hours'],
  ] as const)('asks for what any business is asked: %s', (message, detail) => {
    expect(readMessage(message, { locale: 'en' }).search.detail).toBe(detail)
  })

  test.each([
    ['wp numaranız ne', 'whatsapp'],
    ['vatsap hattınız', 'whatsapp'],
    ['what is your whatsapp number', 'whatsapp'],
    ['ما هو رقم الواتساب', 'whatsapp'],
    ['telefon numaranız ne', 'phone'],
    ['whats the postage', undefined],
    ['akşam kaça kadar varsınız', 'hours'],
  ] as const)('asks for a number where it is to be found: %s', (message, detail) => {
    expect(readMessage(message, { locale: 'en' }).search.detail).toBe(detail)
  })

  test.each([
    'hangi otobüs geçiyor',
    'tramvaydan nerde incem',
    'which bus do i take',
    'can i come by train',
  ])('asks how to come, and for no address: %s', (message) => {
    expect(readMessage(message, { locale: 'en' }).kind).toBe('transport')
  })

  test.each([
    'what is the postcode of my order',
    'sizi arayıp sipariş verebilir miyim',
    'can i call my mum from there',
    'telefon kılıfı var mı',
    'do you need my postcode',
    'where can i post it',
    'kod nerede',
    'wann macht ihr urlaub',
  ])('asks for something else: %s', (message) => {
    expect(readMessage(message, { locale: 'en' }).search.detail).toBeUndefined()
  })

  test('does not ask for the hours by a visit of something', () => {
    expect(readDetail('can i come in a car', 'en')).toBeUndefined()
  })

  test.each([
    ['kaplatmak', 'kapla'],
    ['yikatmak', 'yika'],
    ['cevirtmek', 'cevir'],
  ])('has something done: %s', (verb, root) => {
    expect(verbRoots(verb)).toContain(root)
  })
})

test('the patterns have the folded spelling of Arabic, without which they fit nothing', () => {
  const files = globSync('server/models/embedded/{understanding,answers}/*.ts')
  const words = files.flatMap((file) => readFileSync(file, 'utf8').match(/[\u0600-\u06ff]+/g) ?? [])
  expect(words.length).toBeGreaterThan(100)
  expect(words.filter((word) => fold(word) !== word && !/[؟،]/.test(word))).toEqual([])
})

test.each([
  ['بكام الترصيص', 'price'],
  ['قديش تبديل الدواليب', 'price'],
  ['كم ياخذ وقت تبديل الزيت', 'duration'],
  ['وين محلكم', 'place'],
  ['امتى بتفتحوا', 'hours'],
  ['ازاي أحجز', 'steps'],
  ['عندكم واي فاي', 'polar'],
  ['فيني الغي الموعد', 'polar'],
  ['عندكم تبريد', 'polar'],
  ['في اي ساعة تفتحون', 'hours'],
  ['بتبيعوا ساعات', undefined],
  ['طبيبكم شاطر', undefined],
  ['معاينة المنزل', undefined],
])('an Arabic question is understood as people say it: %s', (message, kind) => {
  expect(readKind(fold(message)).kind).toBe(kind)
})

test('a question for what is charged, or how much notice, need not be one for a price', () => {
  const others = ['how far will it go on one charge', 'how much notice do you need']
  expect(others.map((message) => readKind(message).kind)).not.toContain('price')
  expect(readKind('is there a charge for cancelling').kind).toBe('price')
})

test('the lowest and the highest are asked of a topic; a minimum is a topic', () => {
  expect(['lowest', 'cheapest', 'dusuk', 'ucuz'].every(isMeasureWord)).toBe(true)
  expect(['minimum', 'asgari'].some(isMeasureWord)).toBe(false)
})

test('the letter between a root and its ending belongs to neither: `ödeyebilir` asks for `ödeme`', () => {
  expect(verbRoots('odeyebilir')).toContain('ode')
  expect(verbRoots('kiralayabilir')).toContain('kirala')
})

test('a Turkish verb and its noun are one word: `girsem` asks for the `giriş`', () => {
  expect(['giris', 'girisi', 'girisler'].every((word) => beginsLikeVerb(word.slice(3)))).toBe(true)
  expect(verbRoots('girsem')).toContain('gir')
})

describe('the language of a few words', () => {
  test.each([
    ['phone number pls', 'en'],
    ['bone broth bones pls', 'en'],
    ['hours?', 'en'],
    ['student discount', 'en'],
    ['hunde erlaubt?', 'de'],
    ['telefonnummer', 'de'],
    ['preise?', 'de'],
    ['klima varmi magazada', 'tr'],
    ['kirkyama malzemesi varmi', 'tr'],
    ['kopekle girebilirmiyiz', 'tr'],
    ['رقم الهاتف', 'ar'],
  ] as const)('“%s” is %s on any panel', (message, language) => {
    for (const locale of ['tr', 'en', 'de', 'ar'])
      expect(readMessage(message, { locale }).language).toBe(language)
  })

  test.each([
    'power bank',
    'mercedes c180',
    'iphone 14',
    'galatasaray',
    'spa',
    'levis 501',
    'samsung s21',
    'TR-48211',
  ])('“%s” is a name, answered in the language of the panel', (message) => {
    for (const locale of ['tr', 'en', 'de', 'ar'])
      expect(readMessage(message, { locale }).language).toBe(locale)
  })

  test('goes on in the language of the question before', () => {
    const said = { locale: 'tr', question: 'do you deliver on sundays?' }
    expect(readMessage('power bank', said).language).toBe('en')
  })
})

test.each([
  ["could you tell me what's included in the price", 'list'],
  ['what does the weekend package include', 'list'],
  ['fiyata neler dahil', 'list'],
  ['can you tell me when you open', 'hours'],
] as const)('“%s” asks for a %s, not for yes or no', (message, kind) => {
  expect(readKind(fold(message))).toEqual({ kind, isPolar: false })
})
