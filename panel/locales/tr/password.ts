import type { Words } from '../en/password.ts'

export const words: Words = {
  title: 'Yeni parola',
}
