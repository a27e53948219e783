import type { Words } from '../en/settings.ts'

export const words: Words = {
  title: 'Ayarlar',
}
