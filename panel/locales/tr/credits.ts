import type { Words } from '../en/credits.ts'

export const words: Words = {
  title: 'Krediler',
}
