import { expect, test } from 'vitest'
import { splitDocument } from '../../../server/knowledge/parsers/chunk.ts'
import { buildIndexSync, search } from '../../../server/knowledge/search/search-index.ts'
import { answerFromPassages } from '../../../server/models/embedded/answers/answer.ts'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'
import { indexed } from '../../quality/documents.ts'
import { askVisitor, buildSite, type Site } from '../../quality/visitors.ts'

const ask = (site: Site, question: string) =>
  askVisitor({ site, messages: [question], facts: [], notFirst: [] }, buildSite(site)).answer

/** The answer of a site of these pages, by title. */
function askPages(
  pages: Readonly<Record<string, string>>,
  question: string,
  locale: 'tr' | 'en',
): string {
  const passages = Object.entries(pages).flatMap(([title, text]) =>
    indexed(title, splitDocument({ kind: 'markdown', title, content: `# ${title}\n\n${text}` })),
  )
  const reading = readMessage(question, { locale })
  const hits = search(buildIndexSync(passages), reading.search, 8)
  return answerFromPassages({ question, reading, hits, threshold: 0.35 }).content
}

/** The answer of a site of one Turkish page. */
function askPage(title: string, content: string, question: string): string {
  const index = buildIndexSync(indexed(title, splitDocument({ kind: 'markdown', title, content })))
  const reading = readMessage(question, { locale: 'tr' })
  const hits = search(index, reading.search, 8)
  return answerFromPassages({ question, reading, hits, threshold: 0.35 }).content
}

test('a paragraph that begins with an ordinal number has it in the answer', () => {
  const page = `## Hamileler

7. aydan sonra günlük turda doktor onayı isteriz. Deniz tutmasına karşı zencefilli şeker veririz.`
  const content = askPages({ Teknede: page }, 'hamileler tura katılabilir mi', 'tr')
  expect(content).toContain('7. aydan sonra')
})

test('an answer that is No stays so where the next sentence is chosen', () => {
  const page = `## Havuz ısıtmalı mı?

Hayır. Rahat yüzme dönemi mayıs ortasından ekim ortasına kadardır.

## Otopark var mı?

Evet. Altı araçlık otopark otelin önündedir.`
  const content = askPages({ 'Sık sorulanlar': page }, 'Havuz ısıtmalı mı?', 'tr')
  expect(content).toMatch(/^Hayır\. Rahat yüzme/)
})

test('a table of prices comes before the remark on it, also where both together are too long', () => {
  const rows = Array.from(
    { length: 9 },
    (_, at) => `| Program ${at + 1} | 60 dk | ${at + 1}.500 TL | ${at + 9}.500 TL |`,
  )
  const page = `## Seans ücretleri

| Tedavi | Süre | Tek seans ücreti | On seanslık ücret |
|---|---|---|---|
${rows.join('\n')}

İnme rehabilitasyonunda 20 seanslık paket 32.300 TL'dir. Evde seans ücretleri ayrı bir sayfadadır.`
  const content = askPages({ Fiyatlar: page }, 'seans ücreti ne kadar', 'tr')
  expect(content).toContain('Tek seans ücreti: 1.500 TL')
  expect(content).toMatch(/\n- …\n\nİnme rehabilitasyonunda 20 seanslık paket/)
})

test('a page of prices is one also where its tables leave out the currency', () => {
  const pages = {
    Fiyatlar: `Fiyatlar Türk lirasıdır.

## Tadilat

| İş | Fiyat |
|---|---|
| Paça kısaltma | 160 |
| Etek boyu | 200 |
| Bel daraltma | 220'den |

## Kuru temizleme

| Parça | Fiyat |
|---|---|
| Ceket | 290 |
| Mont | 400 |
| Gelinlik | 1.800 |`,
    'Sık sorulanlar': `## Telefonda fiyat alabilir miyim?

Listedeki her şey için evet. Leke ve tadilatta son fiyatı parçayı görünce söyleriz.`,
  }
  const content = askPages(pages, 'fiyat listeniz var mı', 'tr')
  expect(content).toMatch(/^\*\*Fiyatlar › /)
  expect(content).toContain('Tadilat:**\n- Paça kısaltma — 160')
  expect(content).toContain('Kuru temizleme:**\n- Ceket — 290')
})

test('who asks at what time gets a time of the day', () => {
  const pages = {
    'Crash courses': `Same teacher, same time, every day for a week.

## Crash course times

- Deep pool: 30 minutes, starting at 9:00 or 9:30
- Small pool: 40 minutes, starting at 10:10`,
    Contact: 'The office is in Bridge Road. We answer e-mails every day.',
  }
  const content = askPages(pages, 'What time of day are the crash courses on?', 'en')
  expect(content).toContain('starting at 9:00')
})

test('a hire with a captain is not a yes to one without', () => {
  const pages = {
    'Özel tekne kiralama':
      'Rotayı siz seçin. 15 Nisan – 31 Ekim arasında üç teknemizi kaptanıyla birlikte kiralıyoruz. Kaptansız kiralama yapmıyoruz.',
    Mutfak: 'Öğle yemeği dahildir. Vejetaryen menü vardır.',
  }
  const content = askPages(pages, 'kaptansız tekne kiralıyor musunuz', 'tr')
  expect(content).toContain('Kaptansız kiralama yapmıyoruz.')
  expect(content).not.toMatch(/^(?:\*\*[^*]+\*\* )?Evet/)
})

test('who asks how many rooms there are is not told of the own one', () => {
  const pages = {
    Odalar: `Nar Taşı'nda 14 oda var ve hiçbiri diğerinin aynısı değil.

## Bahçe odası

Zemin kattadır, 18 metrekaredir.`,
    Kurallar: `## Giriş ve çıkış

Giriş 14.00'ten itibarendir. Odanız hazırsa ek ücret istemeden erken veririz.`,
  }
  expect(askPages(pages, 'kaç odanız var', 'tr')).toContain('14 oda var')
})

test('the price of a repair stands beside what is paid for the thing', () => {
  const table = (columns: string, cells: string): string =>
    `| Model | ${columns} |\n|---|---|---|\n${['12', '13', '14'].map((model) => `| Aurora ${model} | ${cells} |`).join('\n')}`
  const pages = {
    'Sell your device': `## What we pay\n\n${table('Good | With cracked screen', '£165 | £90')}`,
    'Phone repairs': `## What it costs\n\n${table('Standard screen | Battery', '£85 | £55')}`,
  }
  const content = askPages(pages, 'how much is an aurora 13 screen', 'en')
  expect(content).toContain('£165')
  expect(content).toContain('£85')
})

test('what the reply before cites is no answer where nothing is found', () => {
  const content = `# Garden\n\n## Tickets\n\nA ticket costs 12 euro.\n\n## Café\n\nThe café has soup and cake.`
  const index = buildIndexSync(
    indexed('Garden', splitDocument({ kind: 'markdown', title: 'Garden', content })),
  )
  const cited = ['Tickets', 'Café'].map((heading) => ({ title: 'Garden', heading }))
  const question = 'Do you have zebrafish quarks?'
  const reading = readMessage(question, { locale: 'en', question: 'tickets', cited })
  const hits = search(index, reading.search, 8)
  const { known, confidence } = answerFromPassages({ question, reading, hits, threshold: 0.35 })
  expect(known).toBe(false)
  expect(confidence).toBeLessThan(0.35)
})

test('a note that two pages have is quoted once, with its yes', () => {
  const note = 'Dogs are welcome in the salon and on the terrace. Please keep them on a lead.'
  const pages = ['Dogs', 'Rules'].flatMap((title) =>
    indexed(
      title,
      splitDocument({
        kind: 'markdown',
        title,
        content: `# ${title}\n\n## Dogs inside\n\n${note}\n\n## Opening hours\n\nWe are open from 9 to 18.`,
      }),
    ),
  )
  const question = 'Are dogs welcome?'
  const reading = readMessage(question, { locale: 'en' })
  const hits = search(buildIndexSync(pages), reading.search, 8)
  const { content } = answerFromPassages({ question, reading, hits, threshold: 0.35 })
  expect(content).toBe(`Yes. ${note}`)
})

test('a table that follows the sentences of an answer is quoted to its last row', () => {
  const content = `# Rezervasyon

## Kapora ve iptal

9 kişi ve üzeri rezervasyonlarda kişi başı 400 TL kapora alınır ve hesaptan düşülür. Kapora, size gönderilen ödeme bağlantısından kredi kartıyla ya da havaleyle 24 saat içinde ödenmelidir.

| İptal zamanı | 1–8 kişi | 9 kişi ve üzeri |
|---|---|---|
| 48 saatten önce | Ücretsiz | Kapora tamamen iade edilir |
| 48–24 saat arası | Ücretsiz | Kaporanın yarısı iade edilir |
| 24 saatten az | Ücretsiz, ama lütfen arayın | İade yapılmaz |

Haber vermeden iki kez gelmeyen misafirlerimizden sonraki rezervasyonlarında kişi sayısından bağımsız olarak kapora rica ediyoruz.

## Masa tercihi

Bahçe, pencere kenarı ya da şömine yanı isteğinizi not ederiz.`
  const told = askPage('Rezervasyon', content, 'rezervasyonumu iptal etmek istiyorum')
  expect(told).toContain('48–24 saat arası')
  expect(told).toContain('24 saatten az')
})

test('a sure answer has the rest of a short section of sentences and a list', () => {
  const { content, isUnsure } = ask('pest', 'moles in my lawn can you help')
  expect(isUnsure).toBe(false)
  expect(content).toMatch(
    /pay £90\. £120 per garden up to half an acre\. This includes .*We do not use gas/s,
  )
})

test('who asks when the business is open reads the hours of each branch under its name', () => {
  const content = `# Şubeler

## Beşevler

Çınarlı Sokak No: 17, Nilüfer / Bursa
Telefon: 0224 555 03 17

| Gün | Saat |
|---|---|
| Pazartesi–cuma | 08.30–19.30 |
| Pazar | Kapalı |

## Özlüce

Kışlalı Bulvarı No: 42, Nilüfer / Bursa
Telefon: 0224 555 03 18

| Gün | Saat |
|---|---|
| Pazartesi | Kapalı |
| Salı–cumartesi | 09.30–20.00 |
| Pazar | 12.00–17.00 |

## Ekip

Ustalarımız yirmi yıldır bu işi yapıyor.`
  const told = askPage('Şubeler', content, 'pazar açık mısınız')
  expect(told).toMatch(/\*\*[^*]*Beşevler:\*\*.*Pazar — .*Kapalı/s)
  expect(told).toMatch(/\*\*[^*]*Özlüce:\*\*.*Pazar — .*12.00–17.00/s)
  expect(told).not.toMatch(/^(?:Evet|Hayır)/)
})

test('a question for the least of what was spoken of goes on with it', () => {
  const page = (title: string, content: string) =>
    indexed(title, splitDocument({ kind: 'markdown', title, content: `# ${title}\n\n${content}` }))
  const index = buildIndexSync([
    ...page('Menü', '## Ana yemekler\n\nKuzu tandır 620 TL, mantı 380 TL, güveç 450 TL.'),
    ...page('Hediye kartı', '## Kartlar\n\nHediye kartı 750 TL ile 15.000 TL arasındadır.'),
    ...page('Atölyeler', '## Kayıt\n\nAtölyeler 2.300 TL, altı haftalık kurs 11.000 TL.'),
  ])
  const question = 'En düşük kaç liralık oluyor'
  const before = 'Hediye kartını internetten alabiliyor muyum?'
  const reading = readMessage(question, { locale: 'tr', question: before })
  const [first] = search(index, reading.search, 8)
  expect(first?.passage.title).toBe('Hediye kartı')
})

test('a sure answer is followed by what another section tells of such a thing', () => {
  const { content, isUnsure } = ask('espresso', 'Kurulum yapıyor musunuz?')
  expect(isUnsure).toBe(false)
  expect(content).toMatch(/^\*\*[^*]+\*\* Ev tipi makineler için gelmiyoruz.*Kurulum İstanbul'da/s)
  const dogs = ask('campsite', 'are dogs allowed')
  expect(dogs.isUnsure).toBe(false)
  expect(dogs.content).toContain('**Dogs on the pitches:** Dogs are welcome')
  expect(dogs.content).not.toMatch(/^(?:Yes|No)\b/)
})

test('who asks for the hours of a day gets the whole table', () => {
  const { content } = ask('bikes', 'what time do you open on sunday')
  expect(content).toMatch(/Every day.*Wednesday to Sunday/s)
})

test('a sure answer has the whole paragraph, whatever comes first', () => {
  const { content, isUnsure } = ask('bikes', 'Do you have parking?')
  expect(isUnsure).toBe(false)
  expect(content).toContain('Our yard has 14 spaces')
})

test('who asks for all prices gets the lists of the page of prices', () => {
  const question = 'fiyatlarınız ne kadar'
  expect(ask('temizlik', question).content).toMatch(
    /^[^*]*\*\*Fiyatlar › Ev temizliği.*\*\*Fiyatlar › Diğer/s,
  )
  expect(ask('yuzme', question).content).toMatch(
    /^[^*]*\*\*Fiyatlar ve kayıt › Kurslar.*\*\*Fiyatlar ve kayıt › Takım/s,
  )
})

test('a list of prices comes before the remarks on it, and the phone of the contact page before another', () => {
  const rows = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map(
    (name) =>
      `| ${name} | Araç, klimalı ve otomatik, ${name} grubu | 1.350 TL | 1.750 TL | 2.300 TL |`,
  )
  const content = `# Fiyatlar

## Günlük kiralama fiyatları

| Grup | Araç | Kasım–Mart | Nisan, Mayıs, Ekim | Haziran–Eylül |
|---|---|---|---|---|
${rows.join('\n')}

Kiralama iki sezona yayılıyorsa her gün kendi sezonunun günlük kiralama fiyatıyla hesaplanır. Bayram günlerinde yaz fiyatı uygulanır.

## Transfer

Daha kısa sürede ihtiyaç varsa transfer için şu telefon numarasını arayın: 0242 555 01 42.

## İletişim

| Konu | Telefon | E-posta |
|---|---|---|
| Rezervasyon | 0242 555 01 40 | bilgi@oto.example |
| Hasar | 0242 555 01 41 | hasar@oto.example |`
  const index = buildIndexSync(
    indexed('Fiyatlar', splitDocument({ kind: 'markdown', title: 'Fiyatlar', content })),
  )
  const answerTo = (question: string): string => {
    const reading = readMessage(question, { locale: 'tr' })
    const hits = search(index, reading.search, 8)
    return answerFromPassages({ question, reading, hits, threshold: 0.35, locale: 'tr' }).content
  }
  expect(answerTo('günlük kiralama ne kadar')).toMatch(/^[^K]*- A — Araç.*1\.350 TL/s)
  expect(answerTo('telefon numaranız nedir')).toMatch(/^[^0]*0242 555 01 40/)
})

test('who asks for the prices gets those of the page of prices', () => {
  expect(ask('suaritma', 'fiyatlar ne kadar').content).toContain('**Cihaz fiyatları:**')
})

test('a question for days gets days of the week', () => {
  expect(ask('yuzme', 'aqua aerobik hangi günler').content).toMatch(/[Ss]alı|[Pp]azartesi/)
})

test('sections of a page that are called alike are told apart by what stands above them', () => {
  const { content } = ask('optician', 'Is there parking near the Scarborough practice?')
  expect(content).toContain('**Whitby › Getting here:** We have no car park')
  expect(content).toContain('**Scarborough › Getting here:** ')
})
