import type { Words } from '../en/appointments.ts'

export const words: Words = {
  title: 'Randevular',
}
