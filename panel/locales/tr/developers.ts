import type { Words } from '../en/developers.ts'

export const words: Words = {
  title: 'Geliştiriciler',
}
