import type { Words } from '../en/setup.ts'

export const words: Words = {
  title: 'Kurulum',
}
