import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from '../../../server/lib/text/edit-distance.ts'
import {
  buildIndexSync,
  search,
  type IndexedPassage,
  type SearchIndex,
} from '../../../server/knowledge/search/search-index.ts'
import { answerFromPassages } from '../../../server/models/embedded/answers/answer.ts'
import { DEFAULT_ANSWER_THRESHOLD } from '../../../server/models/embedded/answers/confidence.ts'
import { MAX_ANSWER_LENGTH } from '../../../server/models/embedded/answers/quotes.ts'

function passage(title: string, heading: string, text: string): IndexedPassage {
  return { doc_id: title, title, url: null, heading, anchor: null, text }
}

const SHOP = [
  passage('Kargo', 'Teslimat süresi', 'Siparişler iki iş günü içinde kargoya verilir.'),
  passage('Kargo', 'Kargo ücreti', '500 TL üzerindeki siparişlerde kargo ücretsizdir.'),
  passage('İade', 'İade koşulları', 'Ürünleri 14 gün içinde iade edebilirsiniz.'),
  passage('Payment', 'Instalments', 'You can pay in up to six instalments with a credit card.'),
  passage('Contact', 'Opening hours', 'Our shop is open from 9 to 18 on weekdays.'),
]
const shop = buildIndexSync(SHOP)

function titles(index: SearchIndex, question: string): string[] {
  return search(index, { question }, 3).map((hit) => hit.passage.title)
}

function answer(
  question: string,
  index: SearchIndex = shop,
): ReturnType<typeof answerFromPassages> {
  const hits = search(index, { question }, 8)
  return answerFromPassages({ question, hits, threshold: DEFAULT_ANSWER_THRESHOLD })
}

test.each([
  ['ürünümü nasıl iade ederim', 'İade'],
  ['URUN IADESI', 'İade'],
  ['siparişim ne zaman kargolanır', 'Kargo'],
  ['kagro ücreti', 'Kargo'],
  ['paying with instalment', 'Payment'],
  ['when are you open?', 'Contact'],
])('finds the right page for "%s"', (question, title) => {
  expect(titles(shop, question)[0]).toBe(title)
})

test('finds nothing where no word is known, and in an empty index', () => {
  expect(titles(shop, 'xylophone quartz')).toEqual([])
  expect(titles(buildIndexSync([]), 'kargo')).toEqual([])
})

test('finds what the reply before cites beside the best passages, and tells its page', () => {
  const cited = [{ title: 'Kargo', heading: 'Kargo ücreti' }]
  const hits = search(shop, { question: 'six instalments', cited }, 3)
  expect(hits.map(({ passage: { heading }, citedBefore }) => [heading, citedBefore])).toEqual([
    ['Instalments', 0],
    ['Kargo ücreti', 1],
  ])
  const [first] = search(shop, { question: 'teslimat süresi', cited }, 3)
  expect(first).toMatchObject({ passage: { heading: 'Teslimat süresi' }, citedBefore: 0.2 })
})

test.each([
  ['kartım', 'kart'],
  ['karta', 'kart'],
  ['kurs', 'kursu'],
  ['yünüm', 'yün'],
  ['oda', 'odanız'],
  ['aşımı', 'aşı'],
])('finds “%s” by “%s”', (asked, written) => {
  const index = buildIndexSync([
    passage('A', 'Bilgi', `Burada ${written} hakkında bilgi var.`),
    passage('B', 'Başka', 'Bambaşka bir konu.'),
  ])
  const [hit] = search(index, { question: `bana ${asked} lazım mı` }, 3)
  const term = hit?.terms.find(({ folded }) => folded !== 'lazim')
  expect(term?.closeness).toBeGreaterThanOrEqual(0.7)
})

test('finds the parts of a word of two that the site has apart', () => {
  const site = buildIndexSync([
    passage('Rules', 'Fires', 'Fires only in our fire pits.'),
    passage('Rules', 'Dogs', 'Dogs stay on a lead.'),
    passage('Rules', 'Camp', 'The camp closes at ten.'),
  ])
  const [hit] = search(site, { question: 'are campfires allowed' }, 3)
  expect(hit?.passage.heading).toBe('Fires')
})

test('finds the lists of a page of prices where the price of a common thing is asked for', () => {
  const prices = '- Sea Field — 24 £\n- Middle Field — 27 £\n- Top Field — 31 £'
  const site = buildIndexSync([
    passage('Prices', 'Pitches', prices),
    ...Array.from({ length: 5 }, (_, at) => passage('Tents', `Tents ${at}`, 'Room for a tent.')),
    ...Array.from({ length: 20 }, (_, at) => passage('Sights', `Sight ${at}`, 'A castle.')),
  ])
  const found = (asksPrice: boolean) =>
    search(site, { question: 'how much is a tent', asksPrice }, 8).map((hit) => hit.isPriceList)
  expect(found(true)).toContain(true)
  expect(found(false)).not.toContain(true)
})

test('finds the lists of prices of the page that is named', () => {
  const rides = '- Aqueducts — Saturdays: 48 £\n- Tunnels — Sundays: 38 £\n- Dusk — Thursdays: 20 £'
  const site = buildIndexSync([
    passage('Guided rides', 'The calendar', rides),
    passage(
      'Guided rides',
      'Your guides',
      'Jo leads the rides at weekends. She is a guided tour herself.',
    ),
    passage('Prices', 'Discounts', 'No discount on the prices of guided rides.'),
    passage('Hire', 'Bicycles', 'Ride a hybrid. Prices are for a day.'),
  ])
  const hits = search(site, { question: 'guided ride prices', asksPrice: true }, 8)
  expect(hits.filter((hit) => hit.isPriceList).map(({ passage: { heading } }) => heading)).toEqual([
    'The calendar',
  ])
})

test('finds no noun by another that begins alike', () => {
  const index = buildIndexSync([passage('A', 'Kanal', 'Burada kanal ve kartal var.')])
  expect(search(index, { question: 'bana kan lazım mı' }, 3)).toEqual([])
})

test('shows at most eight passages of one document, of documentation three', () => {
  const part = (at: number) => passage('Same', `Part ${at}`, 'A word here.')
  const many = Array.from({ length: 9 }, (_, at) => part(at))
  expect(search(buildIndexSync(many), { question: 'word' }, 9)).toHaveLength(8)
  const coded = Array.from({ length: 300 }, (_, at) =>
    passage(`${at}`, 'Code', 'Call it: `run()`.'),
  )
  expect(search(buildIndexSync([...many, ...coded]), { question: 'word' }, 9)).toHaveLength(3)
})

test('weighs what has code as documentation, also without fences, and not what a business writes at length', () => {
  const shareOf = (text: string) =>
    buildIndexSync(Array.from({ length: 400 }, (_, at) => passage(`${at}`, `Part ${at}`, text)))
      .documentationShare
  expect(shareOf('```\nconst app = fastify()\n```')).toBe(1)
  expect(shareOf('Call reply.send(payload) when you are done.')).toBe(1)
  expect(shareOf('WhatsApp us (07700 900 614), or pay with FreeAgent.')).toBeLessThan(0.2)
})

test('finds a word with a hyphen by its spelling as one word', () => {
  const site = buildIndexSync([
    passage('Hire', 'Bikes', 'An e-bike is £46 a day. Free Wi-Fi in the waiting room.'),
    passage('Hire', 'Helmets', 'Helmets are included.'),
  ])
  expect(search(site, { question: 'ebike' }, 1)[0]?.coverage).toBe(1)
  expect(search(site, { question: 'wifi' }, 1)[0]?.coverage).toBe(1)
})

test('finds the synonyms of a noun that the site has in other words, beside a verb that begins alike', () => {
  const site = buildIndexSync([
    passage('Ödeme', 'Ödeme', 'Ödemenin yarısı indirmeden önce, kalanı teslimde alınır.'),
    passage('Prices', 'Discounts', 'Pensioners: 7 %.'),
  ])
  expect(titles(site, 'indirim var mı')[0]).toBe('Prices')
})

test('quotes the row of a table with its heading and columns, not a sentence below it', () => {
  const site = buildIndexSync([
    passage(
      'Single items',
      'Single items, Cologne depot to Istanbul depot',
      '| Item | Price |\n| --- | --- |\n| Bicycle | €75 |\n| Fridge | €130 |\n\nDelivery to a home in Istanbul: €40.',
    ),
    passage('About', 'About us', 'We have moved homes since 1979.'),
  ])
  expect(answer('price to send a bicycle to istanbul', site).content).toContain('Bicycle — €75')
})

test('quotes the whole of a short section where it is not sure what of it answers', () => {
  const site = buildIndexSync([
    passage(
      'Sağlık',
      'Hastalık',
      'Isı 37,8 dereceyi geçince hemşire aileyi arar. Yakını gelene kadar gözlem odasında dinlenilir. Ailenin bir buçuk saat içinde gelmesini bekleriz. Bu sırada ılık bez ve sıvı desteği verilir. Velinin onayı olmadan çocuğa ateş düşürücü verilmez. Ertesi gün sınıfa dönülür. Bulaşıcı bir durumda hekimden yazı istenir. Diğer aileler isim verilmeden bilgilendirilir.',
    ),
    passage('Kayıt', 'Kayıt', 'Kayıtlar nisanda başlar. Çocuğun kimliği istenir.'),
  ])
  const { content, isUnsure } = answer('çocuk ateşlenirse ne yapıyorsunuz', site)
  expect(isUnsure).toBe(true)
  expect(content).toContain('37,8')
})

test('says no where a Turkish sentence denies what is asked for', () => {
  const site = buildIndexSync([
    passage('Teslimat', 'Teslimat', 'Halıyı kapının önüne bırakmayız.'),
    passage('Ödeme', 'Ödeme', 'Kartla ödeyebilirsiniz.'),
  ])
  expect(answer('halıyı kapının önüne bırakır mısınız', site).content).toMatch(/^Hayır\. Halıyı/)
})

test('quotes the answer of a page of questions and answers, without the next question', () => {
  const site = buildIndexSync([
    passage(
      'Sorular',
      'Sık sorulanlar',
      'Suyum kahverengi akıyor, boru mu çürük? Önce komşuya sorun. Parçayı ben alsam? Olur, takarız.',
    ),
    passage('Ödeme', 'Ödeme', 'Kartla ödeyebilirsiniz.'),
  ])
  const { content } = answer('suyum kahverengi akıyor', site)
  expect(content).toContain('Önce komşuya sorun.')
  expect(content).not.toContain('Parçayı')
})

test('searches and answers any message whatever', () => {
  const message = fc.string({ unit: 'binary', maxLength: 4_000 })
  const lone = fc.constantFrom('\uD800', '\uDC00kargo', 'a\u0000b', "'''", '?'.repeat(4_000))
  fc.assert(
    fc.property(fc.oneof(message, lone), (text) => {
      const { content, confidence } = answer(text)
      expect(content.length).toBeLessThanOrEqual(MAX_ANSWER_LENGTH)
      expect(confidence).toBeGreaterThanOrEqual(0)
      expect(confidence).toBeLessThanOrEqual(1)
    }),
  )
})

test('takes long messages of words it knows, and of words it nearly knows', () => {
  const words = ['kargo', 'kagro', 'teslimat', 'teslmiat', 'siparişlerinizden', 'instalmnets']
  const long = Array.from({ length: 600 }, (_, at) => `${words[at % 6] ?? ''}${at}`).join(' ')
  expect(answer(long.slice(0, 4_000)).content).not.toBe('')
})

test('answers from the passages, with what it quoted', () => {
  const { content, used, known, language } = answer('Ürünü kaç gün içinde iade edebilirim?')
  expect(known).toBe(true)
  expect(language).toBe('tr')
  expect(content).toContain('14 gün')
  expect(used.length).toBeGreaterThan(0)
})

test('says kindly that it does not know, in the language of the question', () => {
  expect(answer('Peru’nun başkenti neresi?')).toMatchObject({
    known: false,
    used: [],
    language: 'tr',
  })
  expect(answer('What is the capital of Peru?').content).toMatch(/don’t have any information/)
})

test('shows short code where it is asked how', () => {
  const code = '```js\napp.close()\n```'
  const docs = buildIndexSync([
    passage('Server', 'Closing', `Call close to stop the server gracefully:\n\n${code}`),
    ...SHOP,
  ])
  expect(answer('How do I close the server?', docs).content).toContain(code)
})

test('counts edits as people make them', () => {
  expect(editDistance('agianst', 'against', 2)).toBe(1)
  expect(editDistance('midleware', 'middleware', 2)).toBe(1)
  expect(editDistance('kitap', 'defter', 2)).toBe(3)
})

test('knows one edit from two, whichever way round', () => {
  const word = fc.stringMatching(/^[a-z]{3,10}$/)
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b, 2)
      expect(distance).toBe(editDistance(b, a, 2))
      expect(distance === 0).toBe(a === b)
    }),
  )
})
