export const words = {
  title: 'Appointments',
}
export type Words = typeof words
