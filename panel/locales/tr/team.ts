import type { Words } from '../en/team.ts'

export const words: Words = {
  title: 'Ekip',
}
