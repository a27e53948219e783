import type { Words } from '../en/confirm-email.ts'

export const words: Words = {
  title: 'E-postayı onayla',
}
