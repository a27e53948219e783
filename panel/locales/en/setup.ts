export const words = {
  title: 'Set up',
}
export type Words = typeof words
