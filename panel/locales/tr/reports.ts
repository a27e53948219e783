import type { Words } from '../en/reports.ts'

export const words: Words = {
  title: 'Raporlar',
}
