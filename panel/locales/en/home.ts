export const words = {
  title: 'Home',
}
export type Words = typeof words
