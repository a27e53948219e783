import { expect, test } from 'vitest'
import { guessLanguage } from '../../../widget/session/language.ts'

test.each([
  ['Kargo ücreti ne kadar?', 'tr'],
  ['İade süresi 30 gündür ve ücretsizdir.', 'tr'],
  ['How many days do I have to return a product?', 'en'],
  ['Wie lange kann ich die Ware zurückgeben, und was kostet das?', 'de'],
  ['Quels sont les frais pour une livraison dans le sud ?', 'fr'],
  ['¿Cómo se puede pagar el pedido con una tarjeta?', 'es'],
  ['كم تكلفة الشحن؟', 'ar'],
  ['Сколько стоит доставка?', 'ru'],
])('«%s» is read in its own language', (text, language) => {
  expect(guessLanguage(text)).toBe(language)
})

test.each(['OK', '', '79 TL', 'Fincan 42', 'https://example.com/the'])(
  '«%s» is read in the language of the panel',
  (text) => {
    expect(guessLanguage(text)).toBeUndefined()
  },
)
