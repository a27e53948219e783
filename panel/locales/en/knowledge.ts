export const words = {
  title: 'Knowledge',
}
export type Words = typeof words
