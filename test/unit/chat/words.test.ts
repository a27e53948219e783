import { expect, test } from 'vitest'
import { matchesHandoffIntent } from '../../../server/chat/session/strings.ts'

test.each([
  'İnsanla görüşmek istiyorum',
  'insan ile konuşmak istiyorum',
  'müşteri temsilcisine bağlanmak istiyorum',
  'Beni bir yetkiliye bağlar mısınız?',
  'birine bağlayın',
  'müdürünüzle görüşmek istiyorum',
  'let me speak to your manager',
  'Yetkiliyle görüşebilir miyim?',
  'Bir kişiyle görüşmek istiyorum',
  'canlı destek',
  'Operatöre bağlanmak istiyorum',
  'I want to talk to a human',
  'can I speak with someone?',
  'Please connect me to an agent.',
  'live agent please',
  'müşteri hizmetleri',
  'temsilci lütfen',
  'Ich möchte einen Menschen sprechen',
  'ich will mit jemandem reden',
  'ممكن اكلم حد',
])('takes “%s” as a wish for a person', (message) => {
  expect(matchesHandoffIntent(message)).toBe(true)
})

test.each([
  'Kişi başı fiyat ne kadar?',
  'İnsan kaynakları e-postası nedir?',
  'Doktorla randevu almak istiyorum',
  'Kaç kişilik masanız var?',
  'Kişi bağlantısı nasıl yapılır?',
  'Do you have agents in Izmir?',
  'Müşteri hizmetleri telefonu nedir?',
  'Kann ich mit wem auch immer teilen?',
  'Ich möchte eine Person mehr anmelden',
  'What does a representative office cost?',
  'How do I speak to customers in the app?',
  `${'Uzun bir soru. '.repeat(10)}Bir insanla görüşmek istiyorum`,
])('answers “%s” itself', (message) => {
  expect(matchesHandoffIntent(message)).toBe(false)
})
