import { describe, expect, test } from 'vitest'
import { writtenForm } from '../../../server/lib/text/colloquial.ts'
import { fold } from '../../../server/lib/text/fold.ts'
import { detectLanguage } from '../../../server/lib/text/language.ts'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'
import { readWish } from '../../../server/models/embedded/understanding/wishes.ts'

const wishOf = (message: string) =>
  readWish(fold(writtenForm(message, detectLanguage(message))).trim())

describe('an order to look for', () => {
  test.each([
    'siparişim hala gelmedi',
    'kargom nerede kaldı',
    'ürünüm hala ulaşmadı',
    'paketim kayboldu',
    'siparişim hala kargoya verilmedi',
    'order 12345 is late',
    'where are my cups',
    'paketim kargoda kaldı',
    'siparişimin durumu ne',
    'where is my order',
    "where's my parcel?",
    'where are my items',
    'where is order #1234',
    'my order is late',
    'my parcel is three days late',
    'the package is still missing',
    'my order was lost in the post',
    'my delivery has not arrived',
    'order still not here',
    'order late',
    'wo bleibt mein Paket',
    'meine Bestellung ist noch nicht da',
    'أين طلبي',
    'sipariş no: 12345',
    'sipariş numaram 5321234567',
    'order number 12345',
    '#12345',
    'kargom gelmedi ne olur bakın',
    'siparişim nerede ne olur bir bakın',
    'siparişim gecikti ne olur ilgilenin',
    'my order is late and i want a refund',
    'my order never arrived, refund please',
    "my order hasn't arrived, can i get a refund",
    'my parcel is lost, i want compensation',
    'why is my order late, what happens now',
    'kargom hala dağıtımda',
    'siparişim hala onaylanmadı',
    'siparişim hala görünmüyor',
    'siparişim hala aynı yerde',
    'siparişim kaç gündür hala şubede',
    'kargom hala transferde',
    'kargom hala ankarada',
    'kargom 5 gündür hala hareket etmedi',
    'paketim şubede kaldı',
    'paketim ankarada kaldı',
    'kargom şubede kaldı',
    'delivery is late again',
    'my parcel with the insoles is late',
    'where are the items i ordered',
    'the package is late, i want a refund',
    'no: 15432',
    'numarası 15432',
    'my order number is 15432',
    'die Bestellnummer ist 15432',
    'Bestellnummer: 15432',
    'order 15432',
    'hello, order 15432 is still late',
    'siparişim gelmedi, yanlış adrese gitti ne olur bakın',
  ])('is meant by “%s”', (message) => {
    expect(wishOf(message)).toBe('order')
  })

  test.each([
    'ürünüm hala iade edilebilir mi',
    'ürünüm hala garantide mi',
    'paketim hala geçerli mi',
    'paketim kaç ders kaldı',
    'siparişim kaybolursa ne olur',
    'can I order late at night',
    'can I order dinner late',
    'is delivery late in the evening possible',
    'is the delivery late in the evening',
    'does the weekend package include late check-out',
    'can I order a Genesis frame late in the year',
    'where are the cups made',
    'where are your items made',
    'where are your cups from',
    'where is your delivery entrance',
    'where is the delivery entrance',
    'is my package insured if lost',
    'my order was lost in the post who pays',
    'what happens if my parcel is late',
    'siparişim gelmezse ne olur',
    'paketim kaybolursa ne olur peki',
    'can i get a refund if my order is late',
    'numaram 05321112233',
    'siparişim hala iade edilebilir mi',
    'is the package with breakfast late check-out',
    'was passiert, wenn mein Paket verloren geht',
    '1500',
    '2024',
    '34710',
  ])('is not meant by “%s”', (message) => {
    expect(wishOf(message)).not.toBe('order')
  })

  test('is named by a number alone where orders were spoken of', () => {
    const wishAfter = (question: string | undefined, message: string) =>
      readMessage(message, { locale: 'tr', question }).wish
    expect(wishAfter('siparişim nerede', '15432')).toBe('order')
    expect(wishAfter('I want to cancel my order', '15432')).toBe('order')
    expect(wishAfter('Wo ist meine Bestellung', '15432.')).toBe('order')
    expect(wishAfter('where are my cups', '15432')).toBe('order')
    expect(wishAfter('kurs ne kadar', '34710')).toBeUndefined()
    expect(wishAfter(undefined, '34710')).toBeUndefined()
  })
})

describe('an order to change', () => {
  test.each([
    'teslimat adresimi değiştirmek istiyorum',
    'adresimi değiştirmek istiyorum',
    'siparişimde adres yanlış',
    'wrong address',
    'I entered the wrong address',
    'my order has the wrong address',
    'I want to change my delivery address',
    'please change my address',
    'how can I change the delivery address of my order',
    'Ich möchte meine Bestellung ändern',
    'kann ich die Lieferadresse ändern',
    'die Adresse der Bestellung ist falsch',
    'meine Bestellung wurde geändert, bitte stornieren',
    'adresi yanlış girdim nasıl düzeltebilirim',
    'adresimi yanlış yazdım nasıl düzeltebilirim',
    'it went to the wrong address',
    'adresimi değiştirmeniz lazım',
  ])('is meant by “%s”', (message) => {
    expect(wishOf(message)).toBe('change')
  })

  test.each([
    'adresimi nasıl değiştirebilirim',
    'adresimi nasıl değiştiririm',
    'adres değiştirme nasıl',
    'adres değişikliği için ne lazım',
    'how do I change my address',
    'wrong address on google maps?',
    'you have the wrong address on your website',
    'kann die Bestellung an eine andere Adresse geliefert werden',
    'liefern Sie an eine andere Adresse',
  ])('is not meant by “%s”', (message) => {
    expect(wishOf(message)).toBeUndefined()
  })
})

describe('an appointment', () => {
  test.each([
    'randevu almak istiyorum',
    'randevu alabilir miyim',
    'randevu almam lazım',
    'yarına randevu lazım',
    'randevu alayım',
    'bana randevu verir misiniz',
    'I would like to book an appointment',
    'ich würde gerne wieder einen Termin buchen',
    'I need an appointment',
    'I need to make an appointment',
    'can I have an appointment tomorrow',
    'could I book an appointment for a check-up',
    'do you have an appointment tomorrow?',
    'Ich brauche einen Termin',
    'Kann ich einen Termin haben',
    'Ich möchte einen Termin vereinbaren',
    'أريد حجز موعد',
    'would you book me an appointment please',
    'would you make an appointment for me',
    'book an appointment for Mr Park',
    'will you book an appointment for my mum',
    'i want to book an appointment to bring my dog',
    "i'd like to book an appointment, can i bring my cat",
    'i want an appointment at the Park Street office',
    'i need to make an appointment where do i go',
    'randevum yok randevu almak istiyorum',
    'randevum vardı yeniden randevu almak istiyorum',
    'randevumuz vardı gelemedik, yeni randevu alabilir miyiz',
    'iki hafta önce randevu aldım, bir randevu daha istiyorum',
    'muayene randevusu almak istiyorum nereye geleceğim',
    'morgen brauche ich einen Termin',
    'dringend brauche ich einen Termin',
    'leider muss ich einen neuen Termin machen',
    'ich brauche unbedingt einen Termin, wo bekomme ich ihn',
    'ich hätte gern einen Termin, muss ich etwas mitbringen',
    'أريد حجز موعد بدون انتظار',
  ])('is wanted by “%s”', (message) => {
    expect(wishOf(message)).toBe('appointment')
  })

  test.each([
    'randevu almam gerekiyor mu',
    'randevu almak gerekir mi',
    'randevu lazım mı',
    'randevu almam şart mı',
    'randevu almadan gelebilir miyim',
    'randevu aldım yanımda ne getireyim',
    'randevu almıştım, nereye park edebilirim',
    'randevum var yanımda ne getireyim',
    'nereden randevu alabilirim',
    'randevu almaya gerek var mı',
    'do I need an appointment',
    'do we need to make an appointment',
    'do I have to make an appointment for a check-up',
    'should I book an appointment first',
    'I have an appointment tomorrow, where can I park',
    'I already have an appointment',
    "I've got an appointment on Monday, what should I bring",
    'where can I book an appointment',
    'is it necessary to make an appointment',
    'brauche ich einen Termin',
    'muss ich einen Termin machen',
    'Ich habe morgen einen Termin, wo kann ich parken',
    'wo kann ich einen Termin buchen',
    'Benötige ich einen Termin?',
    'will I need an appointment',
    'do you need to book an appointment',
    'how can I book an appointment',
    'i want to know how to book an appointment',
    'randevumu iptal etmek istiyorum',
    'i want to cancel my appointment',
    'ich möchte wissen ob ich einen Termin brauche',
    'fürs Röntgen brauche ich einen Termin?',
    'i have an appointment tomorrow can i change it',
    'if i need an appointment, where do i call',
    'do you know if i need an appointment',
    'do i book an appointment or walk in',
    'if i book an appointment now will you first call me',
    'هل احتاج الى حجز موعد',
    'عندي موعد غدا اين اخذ موعد الموقف',
  ])('is not wanted by “%s”', (message) => {
    expect(wishOf(message)).toBeUndefined()
  })
})
