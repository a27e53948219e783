import { describe, expect, test } from 'vitest'
import { extractContact } from '../../../server/chat/visitor/contact-extraction.ts'

const found = (text: string, locale = 'tr') => extractContact(text, { locale, isAwaited: false })

describe('a name', () => {
  test.each([
    ['adım irem su', 'irem su'],
    ['adım Deniz', 'Deniz'],
    ['adım deniz kaya, 0532 111 22 33', 'deniz kaya'],
    ['benim adım Ayşe Yılmaz', 'Ayşe Yılmaz'],
    ['ismim seda', 'seda'],
    ['Adım Mehmet randevu almak istiyorum', 'Mehmet'],
    ['my name is ann lee', 'ann lee'],
    ['my name is Alfred', 'Alfred'],
    ['Name: Petra Wrong', 'Petra Wrong'],
    ["I'm John Smith, +44 20 7946 0958", 'John Smith'],
    ["I'm Sebastian", 'Sebastian'],
    ["I'm Rose, 0532 111 22 33", 'Rose'],
    ['this is Peter', 'Peter'],
    ['Ben Zeynep, bilgi alacaktım', 'Zeynep'],
    ['Ben Deniz', 'Deniz'],
    ["I'm May", 'May'],
    ["I'm Jack Baker, +44 7911 123456", 'Jack Baker'],
    ["I'm Georgia, ann@example.com", 'Georgia'],
    ['Ben Yusuf Kurt, 0532 555 44 33', 'Yusuf Kurt'],
    ['Ben Alev Taş, 0532 555 44 33', 'Alev Taş'],
    ['Merhaba ben Ali Genç 0532 555 44 33', 'Ali Genç'],
    ["Hi, I'm Mary Cook and my email is mary@example.com", 'Mary Cook'],
    ['This is Kate Green, please call me on +44 7911 123456', 'Kate Green'],
    ['Merhaba ben Lale, randevu almak istiyorum', 'Lale'],
    ["I'm Mr Brown", 'Mr Brown'],
    ["I'm Christian Young", 'Christian Young'],
    ['Ben Ali Genç', 'Ali Genç'],
    ["What is your address? I'm John Smith, +44 7911 123456", 'John Smith'],
    ['Was ist Ihre Adresse? Anna Müller +49 171 1234567', 'Anna Müller'],
    ['Ayşe Kaya 0532 555 44 33 SGK geçerli mi', 'Ayşe Kaya'],
    ['adım mehmet uzun', 'mehmet uzun'],
    ['adım ali doğru', 'ali doğru'],
    ['adım mehmet yazıcı', 'mehmet yazıcı'],
    ['adım mısra', 'mısra'],
    ['my name is misha', 'misha'],
    ['my name is missy', 'missy'],
    ['my name is misty', 'misty'],
    ["I'm Kim", 'Kim'],
  ])('is taken from “%s”', (text, name) => {
    expect(found(text).name).toBe(name)
  })

  const FAMILY_NAMES =
    'Cook Brown Green Black White Baker Wood Young Hill Stone Fox Rice Page Day Long Miller Park Çelik Koç Köse ' +
    'Demirci Terzi Avcı Genç Yıldırım Şimşek Kurt Bozkurt Karaca Uzun Sarı Ateş Tunç Altın Şen'
  const GIVEN_NAMES =
    'Eylül Nisan Lale Rüzgar Çağrı Alev Işık Mine Tuna Fidan Ateş Kuzey Christian Jordan Georgia Will Autumn Roman Paris Sky'

  test.each(FAMILY_NAMES.split(' '))('may be a family name that is a word, as %s', (name) => {
    expect(found(`I'm Ann ${name}`, 'en').name).toBe(`Ann ${name}`)
    expect(found(`Ben Ali ${name}`).name).toBe(`Ali ${name}`)
  })

  test.each(GIVEN_NAMES.split(' '))('may be a given name that is a word, as %s', (name) => {
    expect(found(`I'm ${name}`, 'en').name).toBe(name)
    expect(found(`Ben ${name}`).name).toBe(name)
  })

  test.each([
    'adım yanlış yazılmış',
    'adım listede yok',
    'adım değişti ne yapmalıyım',
    'Adım soyadım değişti',
    'adım sistemde görünmüyor',
    'adım kayıtlı değil',
    'ismim eksik çıkmış',
    'ismim neden yazmıyor',
    "I'm Vegan.",
    "I'm Muslim, do you have halal food",
    "I'm German, do you need my passport",
    "I'm Brazilian. Visa?",
    "I'm Pregnant, can I come",
    'this is Urgent',
    'My name is misspelled on the booking',
    'my name is wrong on the ticket',
    'my name is not on the list',
    'my name is spelled wrong',
    'Ben Öğrenci, indirim var mı',
    'Ben Almanım, pasaport lazım mı',
    'Ben Emekli, indirim var mı',
    'Ben Müslüman, helal mi',
    "I'm Gluten Intolerant",
    "I'm Lactose Intolerant, ann@example.com",
    "I'm Very Pregnant, +44 7911 123456",
    "I'm French Canadian",
    "I'm Indian",
    "I'm Jewish",
    "I'm Diabetic",
    "I'm Disabled",
    "I'm Retired",
    "I'm Late",
    "I'm Lost",
    'This is Ridiculous',
    'This is Spam',
    'Ben Türküm',
    'Ben Hamileyim',
    'Ben Hekim, indirim var mı',
    'Ben Vejetaryen',
    "I'm Autistic",
    "I'm Available Tomorrow",
    'adım sistemde yanlış görünüyor',
    'my name is missing',
    'my name is mistaken',
    'adım uzun',
    'adım kim',
  ])('is none in “%s”', (text) => {
    expect(found(text).name).toBeUndefined()
  })
})

describe('a number or an address', () => {
  test.each([
    'numaram 0533 222 33 44',
    'beni arayın 05321112233',
    '0532 111 22 33 beni arar mısınız',
    '0532 111 22 33 whatsapptan yazar mısınız bana',
    'bu numaradan ulaşabilir misiniz 0532 111 22 33',
    'Ayşe Yılmaz 0532 111 11 22',
    'siparişim gelmedi, telefonum 0532 111 22 33',
    'call me at +90 532 111 22 33, is that ok for you?',
    'can you call me on +90 532 111 22 33',
    'Meine Nummer ist +90 532 111 22 33, ist das Ihnen recht?',
    'رقمي +905321112233',
    'sizin orada yer var mı 0532 111 22 33',
    'Ann Lee +90 532 111 22 33, is it possible for you to come tomorrow?',
    '+90 532 111 22 33 is my whatsapp, are you open?',
    'Hans Meier +90 532 111 22 33, sind Ihre Kurse voll?',
    'Ayşe Kaya 0532 555 44 33 SGK geçerli mi',
    '0532 555 44 33 sigortam geçerli mi',
    "What is your address? I'm John Smith, +90 532 111 22 33",
    'Is there parking at your address? +90 532 111 22 33',
    "Are you able to help? I can't reach your number. Please ring +90 532 111 22 33",
    'Was ist Ihre Adresse? Anna Müller +90 532 111 22 33',
    'bu numaraya fiyat listesi gönderilebilir mi 0532 555 44 33',
    '0532 555 44 33 bu numaraya mesaj atılır mı',
    'eşim sizi aradı randevumuz var mı 0532 555 44 33',
    'rezervasyon 0532 555 44 33',
    'Sipariş: 0532 555 44 33',
    'müşteri numarası 0532 555 44 33',
    'for the booking number is +90 532 111 22 33',
    'sipariş no 15432 0532 555 44 33',
    'Is this your WhatsApp? Mine is +90 532 111 22 33',
    'what is your number +90 532 111 22 33',
    '0532 555 44 33 doğru mu yazmışım numaramı',
    '0532 555 44 33 annem aradı sizi, siz mi arayacaksınız tekrar',
    'is it ok to text +90 532 111 22 33 from your whatsapp',
  ])('is the visitor’s own in “%s”', (text) => {
    expect(found(text).phone).toMatch(/^\+90/)
  })

  test.each([
    '0535 555 41 20 whatsapp mı',
    '0212 555 01 23 sizin numaranız mı',
    '0216 555 73 30 bu numara sizin mi',
    'bu telefon 0532 111 22 33 size mi ait',
    'beni 0532 111 22 33 aradı siz misiniz',
    '0532 111 22 33 numarası hâlâ geçerli mi',
    'is +90 532 111 22 33 your number?',
    'does +90 532 111 22 33 belong to you',
    'did you call me from +90 532 111 22 33?',
    'somebody called me from +90 532 111 22 33, was that you?',
    'Ist +90 532 111 22 33 Ihre Nummer?',
    'Gehört die +90 532 111 22 33 Ihnen?',
    'هل هذا رقمكم +905321112233',
    'siparis numaram 5321234567',
    'takip no: 5321234567',
    'order number 5321234567',
    'bu numara sizin mi? 0216 555 73 30',
    'Is this your number? +90 532 111 22 33',
    'is your number still +90 532 111 22 33',
    '0532 111 22 33 doğru mu',
    '0532 111 22 33 numarasından beni aradınız mı',
    'numaranız 0532 111 22 33 mü',
    'sizin numaranız 0532 111 22 33 değil mi',
    'booking reference no. 5321234567',
    'Bestellnummer 5321234567',
    'was it you who called me from +90 532 111 22 33',
    'sipariş takip kod no: 5321234567',
    'order #5321234567',
    'IBAN 5321234567',
  ])('is no contact of the visitor in “%s”', (text) => {
    expect(found(text)).not.toHaveProperty('phone')
  })

  test('is found quickly behind many numbers of orders', () => {
    const many = 'sipariş no 5321234567 '.repeat(80)
    found(many)
    const began = performance.now()
    for (let run = 0; run < 10; run += 1) found(many)
    expect((performance.now() - began) / 10).toBeLessThan(20)
  })

  test('is the visitor’s own where only the address of the business is asked about', () => {
    expect(found('info@firma.com sizin mi')).not.toHaveProperty('email')
    expect(found('mailim ayse@firma.com, bana yazar mısınız').email).toBe('ayse@firma.com')
  })

  test.each([
    'are you open today and what is your address? ann@example.com',
    'wie ist Ihre E-Mail? meine ist ann@example.com',
    'bu maile fiyat listesi atar mısınız ann@example.com',
    'beni 0532 111 22 33 aradı siz misiniz? mailim ann@example.com',
  ])('is the address of the visitor in “%s”', (text) => {
    expect(found(text).email).toBe('ann@example.com')
  })

  test('is the phone beside the number of an order', () => {
    const { phone } = found('sipariş numaram 5321234567, telefonum 0532 111 22 33')
    expect(phone).toBe('+905321112233')
  })
})
