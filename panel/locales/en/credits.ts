export const words = {
  title: 'Credits',
}
export type Words = typeof words
