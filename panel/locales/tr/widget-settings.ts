import type { Words } from '../en/widget-settings.ts'

export const words: Words = {
  title: 'Widget',
}
