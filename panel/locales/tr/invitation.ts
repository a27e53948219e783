import type { Words } from '../en/invitation.ts'

export const words: Words = {
  title: 'Davet',
}
