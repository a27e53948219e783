import type { Words } from '../en/home.ts'

export const words: Words = {
  title: 'Ana sayfa',
}
