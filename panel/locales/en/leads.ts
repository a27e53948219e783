export const words = {
  title: 'Leads',
}
export type Words = typeof words
