import type { Words } from '../en/operator.ts'

export const words: Words = {
  title: 'Kurulum yönetimi',
}
