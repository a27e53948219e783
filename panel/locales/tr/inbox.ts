import type { Words } from '../en/inbox.ts'

export const words: Words = {
  title: 'Gelen kutusu',
}
