import type { Words } from '../en/knowledge.ts'

export const words: Words = {
  title: 'Bilgi bankası',
}
