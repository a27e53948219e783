import { expect, test } from 'vitest'
import { z } from 'zod'
import { explainField } from '../../panel/app/api/field-errors.ts'
import { words as english } from '../../panel/locales/en/parts/field-errors.ts'
import { words as turkish } from '../../panel/locales/tr/parts/field-errors.ts'
import { BLOCK_MESSAGES } from '../../server/net/target.ts'
import { validationMessage } from '../../server/http/validation-messages.ts'

/** The message that the API gives for a value. */
function messageOf(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value, { error: validationMessage })
  return error?.issues[0]?.message ?? ''
}

test.each([
  [messageOf(z.string(), undefined), 'Bu alanı doldurun.'],
  [messageOf(z.string().min(8), 'kısa'), 'En az 8 karakter yazın.'],
  [messageOf(z.string().max(3), 'uzun'), 'Çok uzun: en fazla 3 karakter olabilir.'],
  [messageOf(z.string().min(1), ''), 'Bu alanı doldurun.'],
  [messageOf(z.array(z.string()).min(1), []), 'En az birini girin ya da seçin.'],
  [messageOf(z.array(z.string()).min(2), []), 'En az 2 tane girin.'],
  [messageOf(z.array(z.string()).max(1), ['a', 'b']), 'En fazla 1 tane girebilirsiniz.'],
  [messageOf(z.number().min(0), -1), 'En az 0 olmalı.'],
  [messageOf(z.number().positive(), 0), '0 değerinden büyük olmalı.'],
  [messageOf(z.number().max(24), 25), 'En fazla 24 olabilir.'],
  [messageOf(z.number(), 'x'), 'Bir sayı yazın.'],
  [messageOf(z.int(), 'x'), 'Bir sayı yazın.'],
  [messageOf(z.int(), 1.5), 'Tam sayı yazın.'],
  [messageOf(z.email(), 'x'), 'Geçerli bir e-posta adresi yazın: ad@ornek.com gibi.'],
  [messageOf(z.url(), 'x'), 'Adresi tam yazın: https://ornek.com gibi.'],
  [messageOf(z.iso.date(), 'x'), 'Bir gün seçin.'],
  [messageOf(z.enum(['a', 'b']), 'c'), 'Şunlardan birini seçin: "a", "b".'],
])('a Turkish owner reads “%s” as “%s”', (message, sentence) => {
  expect(explainField(message, turkish)).toBe(sentence)
})

test('says in Turkish why an address cannot be called, and never shows English', () => {
  const sentences = Object.values(BLOCK_MESSAGES).map((message) => explainField(message, turkish))
  expect(sentences).not.toContain(turkish.other(''))
  expect(explainField('has a rule that is new', turkish)).toBe(turkish.other(''))
  expect(explainField('has a rule that is new', english)).toBe('This has a rule that is new.')
})
