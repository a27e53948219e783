export const words = {
  title: 'Developers',
}
export type Words = typeof words
