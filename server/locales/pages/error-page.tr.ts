import type { ErrorPageStrings } from './error-page.en.ts'

/** Turkish strings of the page in place of a problem document. */
export const tr: ErrorPageStrings = {
  missing: {
    title: 'Burada bir şey yok',
    lead: 'Adres yanlış yazılmış ya da buradaki sayfa kaldırılmış olabilir.',
  },
  failed: {
    title: 'Bir sorun oluştu',
    lead: 'Lütfen birazdan yeniden deneyin.',
  },
  reference: 'Başvuru kodu',
}
