import type { Words } from '../en/leads.ts'

export const words: Words = {
  title: 'Potansiyel müşteriler',
}
