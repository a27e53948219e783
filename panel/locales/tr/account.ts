import type { Words } from '../en/account.ts'

export const words: Words = {
  title: 'Hesabım',
}
