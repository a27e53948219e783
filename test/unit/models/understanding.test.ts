import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fold } from '../../../server/lib/text/fold.ts'
import { hasOtherNumber } from '../../../server/models/embedded/answers/polarity.ts'
import { isUpset } from '../../../server/models/embedded/understanding/narrative.ts'
import { asksForJob } from '../../../server/models/embedded/understanding/off-topic.ts'
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
    expect(isUpset(fold('do you sell angry orchard cider'))).toBe(false)
  })
})

describe('a number that the question names', () => {
  test.each([
    ['can i use two codes', 'One code can be used per order.'],
    ['üç kişilik odanız var mı', 'Odalar 2 kişiliktir.'],
    ['هل يمكن لثلاثة أشخاص', 'الغرفة لشخصين'],
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

test('the patterns have the folded spelling of Arabic, without which they fit nothing', () => {
  const files = globSync('server/models/embedded/{understanding,answers}/*.ts')
  const words = files.flatMap((file) => readFileSync(file, 'utf8').match(/[\u0600-\u06ff]+/g) ?? [])
  expect(words.length).toBeGreaterThan(100)
  expect(words.filter((word) => fold(word) !== word && !/[؟،]/.test(word))).toEqual([])
})
