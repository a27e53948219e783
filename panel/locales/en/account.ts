export const words = {
  title: 'My account',
}
export type Words = typeof words
