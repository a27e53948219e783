import type { Words } from '../en/prompts.ts'

export const words: Words = {
  title: 'Promptlar',
}
