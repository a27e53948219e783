import { describe, expect, test } from 'vitest'
import { hasOtherNumber, judgePolarity } from '../../../server/models/embedded/answers/polarity.ts'

describe('a number that the question names', () => {
  test.each([
    ['can i use two codes', 'One code can be used per order.'],
    ['üç kişilik odanız var mı', 'Odalar 2 kişiliktir.'],
    ['هل يمكن لثلاثة أشخاص', 'الغرفة لشخصين'],
    ['kargo ücreti 50 TL mi', 'Kargo ücreti 80 TL’dir.'],
    ['does it cost $20', 'It costs $35.'],
    ['are there 2 european plugs', 'There is 1 European plug.'],
  ])('“%s” is not answered by “%s”', (question, sentence) => {
    expect(hasOtherNumber(question, sentence)).toBe(true)
  })

  test.each([
    ['iki kişilik odanız var mı', 'Çift kişilik odanın geceliği 2.400 TL’dir.'],
    ['do you have rooms for two', 'A double room is €90 a night, breakfast from 7:30.'],
    ['iki gün kalabilir miyim', 'Geceliği 1.200 ₺, hafta sonu %20 fazladır.'],
    ['هل لديكم غرفة لشخصين', 'الغرفة لعدد ٢ بسعر ٩٠٠ ليرة'],
  ])('“%s” may be by “%s”', (question, sentence) => {
    expect(hasOtherNumber(question, sentence)).toBe(false)
  })
})

describe('yes and no', () => {
  const judge = (question: string, sentence: string, language: 'tr' | 'en') =>
    judgePolarity(question, sentence, { language, share: 1 })

  test('are not denied by what has nothing to do with something', () => {
    expect(judge('do you treat bed bugs', 'Bed bugs have nothing to do with dirt.', 'en')).not.toBe(
      false,
    )
  })

  test('are not said by what the visitor is to do', () => {
    expect(judge('ayakkabı da veriyor musunuz', 'Giyeceğiniz ayakkabıyı getirin.', 'tr')).toBe(
      undefined,
    )
    expect(judge('do you lend shoes', 'Bring the shoes that you will wear.', 'en')).toBe(undefined)
    expect(judge('do i have to bring shoes', 'Bring your own shoes.', 'en')).toBe(true)
    expect(judge('ayakkabı getirmem gerekiyor mu', 'Ayakkabınızı getirin.', 'tr')).toBe(true)
  })

  test('are not said where there is something in one place or under a condition only', () => {
    const sentence = 'Beyaz damatlık yalnızca slim modelde vardır.'
    expect(judge('beyaz damatlık var mı', sentence, 'tr')).toBe(undefined)
    expect(judge('sigara içiliyor mu', 'Sigara yalnızca arka güvertede içilir.', 'tr')).toBe(
      undefined,
    )
    const rule = 'Kapora ödemeden fotoğraf çekmek yasaktır.'
    expect(judge('fotoğraf çekebilir miyim', rule, 'tr')).toBe(undefined)
    expect(judge('can i smoke here', 'Smoking here is forbidden.', 'en')).toBe(false)
  })

  test('are not said by a charge that is left out', () => {
    const sentence = 'Kendi pastanızı getirebilirsiniz, kesim ve servis için ücret almayız.'
    expect(judge('pasta getirebilir miyim', sentence, 'tr')).toBe(undefined)
  })

  test('are a “no” where the opposite is said', () => {
    expect(judge('are they noisy', 'A unit is as quiet as a library.', 'en')).toBe(false)
    expect(judge('is it hard to clean', 'It is easy to clean.', 'en')).toBe(false)
    expect(judge('çok gürültülü mü', 'Cihaz sessizdir.', 'tr')).toBe(false)
  })

  test('are a “no” in the forms in which public pages deny', () => {
    const toilet = 'Atölyede müşteri tuvaleti bulunmamaktadır.'
    expect(judge('lavabonuz var mı', toilet, 'tr')).toBe(false)
    expect(judge('kartla ödeyebilir miyim', 'Kartla ödeme kabul edilmemektedir.', 'tr')).toBe(false)
    expect(judge('kargoya verildi mi', 'Siparişler kargoya verilmemiştir.', 'tr')).toBe(false)
    expect(judge('çekim tamamlanıyor mu', 'Ekip çekimi iki saatte tamamlamaktadır.', 'tr')).toBe(
      true,
    )
  })

  test.each([
    ['do you use nuts in the kitchen', 'Our kitchen uses nuts, so no dish is free from nuts.'],
    ['can I use the car park', 'The car park behind the house is free from 6 pm.'],
    ['do your creams have perfume', 'Our creams are free from perfume on request.'],
  ])('are not a “no” because something else is free: %s', (question, sentence) => {
    expect(judge(question, sentence, 'en')).not.toBe(false)
  })

  test('are not a “yes” where another clause denies', () => {
    const hens = 'We do not keep cats or dogs, and the pets of visitors must stay outside.'
    expect(judge('do you have pets', hens, 'en')).not.toBe(true)
  })

  test('are not said of one by what holds for some', () => {
    const mains = 'Most mains can be made gluten free.'
    expect(judge('is it gluten free', mains, 'en')).toBe(undefined)
    expect(judge('do you have vegan cakes', 'Some cakes are vegan.', 'en')).toBe(true)
  })

  test('are not said by the name of a fee', () => {
    const fee = 'For a no-show a fee of £35 is payable.'
    expect(judge('is there a no show fee', fee, 'en')).not.toBe(false)
  })

  test.each([
    ['can I use the sauna if I am pregnant', 'You can use the sauna if you are not pregnant.'],
    ['do you take guests who eat meat', 'We take guests who do not eat meat.'],
    ['can I ride if I am pregnant', 'Anyone may ride unless pregnant.'],
  ])('are not a “yes” where the condition denies: %s', (question, sentence) => {
    expect(judge(question, sentence, 'en')).not.toBe(true)
  })

  test('are not a “no” where something is not to be left undone', () => {
    const advice = 'Grip aşısı yaptırmayı unutmamalısınız.'
    expect(judge('grip aşısı yaptırmalı mıyım', advice, 'tr')).not.toBe(false)
    expect(judge('kontrol gerekli mi', 'Yıllık kontrol aksatılmamalıdır.', 'tr')).not.toBe(false)
    const open = 'Öğle arası vermeden çalışıyoruz.'
    expect(judge('öğle arası veriyor musunuz', open, 'tr')).not.toBe(true)
    expect(judge('havuza atlanır mı', 'Havuza atlanmamalıdır.', 'tr')).toBe(false)
  })

  test('are not said by whom a sentence is for, or by what is needed only', () => {
    const chair = 'We keep a wheelchair at reception for anyone who cannot manage the hallway.'
    expect(judge('do you have a wheelchair to borrow', chair, 'en')).not.toBe(false)
    const rule = 'Patients are seen by appointment only.'
    expect(judge('do i have to make an appointment', rule, 'en')).not.toBe(false)
    expect(
      judge('is there lead in the glaze', 'Tests confirm that it is free of lead.', 'en'),
    ).toBe(false)
    expect(judge('are the cakes free from nuts', 'All cakes are free from nuts.', 'en')).toBe(true)
    expect(judge('is the internet free', 'Connect to the network at no charge.', 'en')).toBe(true)
    const both = 'Collection is free of charge and delivery costs £5.'
    expect(judge('is delivery free', both, 'en')).toBe(undefined)
    const sunday = 'There is no charge for parking on Sundays.'
    expect(judge('is parking free', sunday, 'en')).toBe(undefined)
    const torte = 'Chocolate torte (gluten free) £8.'
    expect(judge('is there gluten in the torte', torte, 'en')).not.toBe(true)
    expect(judge('kargo bedava mı', 'Kargo için ücret alınmaz.', 'tr')).toBe(true)
  })

  test('take what is free for the opposite of a price', () => {
    const sentence = 'Oat milk costs nothing extra.'
    expect(judge('do you charge more for oat milk', sentence, 'en')).not.toBe(true)
    const towels = 'Towels are free at the front desk.'
    expect(judge('can we get extra towels', towels, 'en')).not.toBe(false)
    expect(judge('is smoking prohibited', 'Smoking is not prohibited.', 'en')).toBe(undefined)
    expect(judge('is camping banned', 'Camping is no longer banned.', 'en')).toBe(undefined)
  })

  test('are not a “no” where nothing is charged', () => {
    const rule = 'Kredi kartına 3 taksite kadar vade farkı uygulanmaz.'
    expect(judge('kredi kartına taksit oluyor mu', rule, 'tr')).not.toBe(false)
    expect(judge('vade farkı var mı', rule, 'tr')).toBe(false)
    const free = 'There is no extra charge for delivery.'
    expect(judge('is there delivery', free, 'en')).not.toBe(false)
    expect(judge('is there a charge for delivery', free, 'en')).not.toBe(true)
    const loan = 'We lend a plain quartz watch without charge.'
    expect(judge('do you charge for the loan watch', loan, 'en')).not.toBe(true)
    const split = 'Split orders into three payments with Klarna at no interest.'
    expect(judge('can i pay with klarna', split, 'en')).not.toBe(false)
    const rooms = 'We have separate rooms for families at no cost.'
    expect(judge('do you have separate rooms', rooms, 'en')).not.toBe(false)
    const unit = 'Nobody may sleep in a room.'
    expect(judge('can i sleep in my room', unit, 'en')).toBe(false)
  })

  test('are of what is asked, not of the condition that is told with it', () => {
    const rule = 'You can return a product within 30 days.'
    expect(judge('can i return a product if i dont like it', rule, 'en')).not.toBe(false)
    expect(judge("i don't like it, can i return it", rule, 'en')).not.toBe(false)
    expect(judge("can't i return it", 'You cannot return it.', 'en')).toBe(true)
    const ticket = "can i enter if i don't have a ticket"
    expect(judge(ticket, 'You can enter with a ticket.', 'en')).not.toBe(true)
    expect(judge(ticket, 'You can enter without a ticket.', 'en')).not.toBe(false)
    const food = 'Dışarıdan yiyecek serbesttir, alkol yasaktır.'
    expect(judge('dışarıdan yiyecek serbest mi', food, 'tr')).not.toBe(false)
  })

  test('are not said by a case, by what costs extra, or to a choice', () => {
    const fine = 'Odada sigara içilmesi halinde 2.000 TL temizlik bedeli alınır.'
    expect(judge('odada sigara içiliyor mu', fine, 'tr')).toBe(undefined)
    const extra = 'Aletli pilates üyeliğe dahil değildir.'
    expect(judge('pilates var mı', extra, 'tr')).toBe(undefined)
    expect(judge('üyeliğe aletli pilates dahil mi', extra, 'tr')).toBe(false)
    const fuel = 'Araç ne kadar yakıtla verildiyse o kadar yakıtla geri alınır.'
    expect(judge('dizel mi benzinli mi arabalar', fuel, 'tr')).toBe(undefined)
  })

  test('nothing is needed where one may come without it', () => {
    const sentence = 'Abiye denemek için randevusuz gelebilirsiniz.'
    expect(judge('abiye için randevu lazım mı', sentence, 'tr')).toBe(false)
    const before = 'Randevu almadan da gelebilirsiniz.'
    expect(judge('randevu gerekiyor mu', before, 'tr')).toBe(false)
    const free = 'Üye olduktan sonra ücretsiz deneyebilirsiniz.'
    expect(judge('denemek için üye olmam gerekiyor mu', free, 'tr')).not.toBe(false)
  })
})
