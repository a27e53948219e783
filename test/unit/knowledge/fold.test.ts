import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, lowerTr, nameParts, splitWords } from '../../../server/lib/text/fold.ts'
import { sentences } from '../../../server/lib/text/sentences.ts'
import { createStemmer } from '../../../server/lib/text/stemmer.ts'
import { detectLanguage } from '../../../server/lib/text/language.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 60 })

test('finds one spelling for every case and accent of a word', () => {
  expect(['İÇİN', 'için', 'icin', 'ICIN', 'Içın'].map(fold)).toEqual(Array(5).fill('icin'))
  expect(fold('ŞĞÜÖÇ')).toBe('sguoc')
  expect(fold('٢٥ كيلو، ۲۵')).toBe(fold('25 كيلو، 25'))
})

test('lowers Turkish letters one for one', () => {
  expect(lowerTr('IŞIK İZİ')).toBe('ışık izi')
})

test('ends no sentence at a number before a small letter', () => {
  const weeks = 'Karnın belirgin olduğu 28–34. haftaları öneriyoruz. Her gün 9–17. Pazar kapalı.'
  expect(sentences(weeks)).toEqual([
    'Karnın belirgin olduğu 28–34. haftaları öneriyoruz.',
    'Her gün 9–17.',
    'Pazar kapalı.',
  ])
})

test('ends no sentence at an abbreviation', () => {
  const text =
    'Plakanızı ve T.C. kimlik numaranızı girin. Gül Cad. No: 4. We open at 9 a.m. on Mondays, and close at 5 p.m. Ring first.'
  expect(sentences(text)).toEqual([
    'Plakanızı ve T.C. kimlik numaranızı girin.',
    'Gül Cad. No: 4. We open at 9 a.m. on Mondays, and close at 5 p.m.',
    'Ring first.',
  ])
})

test('changes nothing by folding twice, whatever the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(fold(fold(text))).toBe(fold(text))
    }),
  )
})

test('reads words without their suffix after an apostrophe', () => {
  expect(splitWords("Hook'umu React’in `map()` don't")).toEqual(['Hook', 'React', 'map', 'don'])
})

test('reads a number and its unit as two words, as others write them', () => {
  expect(splitWords('a 10kWh battery, 30kg, 5 km')).toEqual([
    'a',
    '10',
    'kWh',
    'battery',
    '30',
    'kg',
    '5',
    'km',
  ])
  expect(splitWords('K125 2fa v8 3D 5G 9am')).toEqual(['K125', '2fa', 'v8', '3D', '5G', '9am'])
})

test('parts names in code, but not JavaScript', () => {
  expect(nameParts('trustProxy')).toEqual(['trust', 'Proxy'])
  expect(nameParts('FST_ERR')).toEqual(['FST', 'ERR'])
  expect(nameParts('JavaScript')).toEqual([])
})

test('gives inflected words a form in common', () => {
  const stemmer = createStemmer()
  const share = (a: string, b: string): boolean =>
    stemmer.forms(a).some((form) => stemmer.forms(b).includes(form))
  expect(share('DÜĞÜMÜNE', 'düğümler')).toBe(true)
  expect(share('dizisini', 'dizi')).toBe(true)
  expect(share('routes', 'ROUTE')).toBe(true)
})

test('takes no small word for a form of another one', () => {
  expect(createStemmer().forms('bile')).toEqual(['bile'])
})

test('stems any text at all, and the same again when its memory is small', () => {
  const small = createStemmer(2)
  const large = createStemmer()
  fc.assert(
    fc.property(anyText, (text) => {
      for (const word of splitWords(text)) expect(small.forms(word)).toEqual(large.forms(word))
    }),
  )
})

test.each([
  ['Liste elemanlarına neden key vermem gerekiyor?', 'tr'],
  ['state icindeki diziyi nasil guncellerim', 'tr'],
  ['DOM DÜĞÜMÜNE REF İLE NASIL ERİŞİRİM', 'tr'],
  ['What does the trustProxy option do?', 'en'],
  ['how do i validate the body', 'en'],
  ['JSX', undefined],
  ['', undefined],
])('tells the language of "%s"', (text, language) => {
  expect(detectLanguage(text)).toBe(language)
})
