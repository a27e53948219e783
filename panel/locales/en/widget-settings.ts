export const words = {
  title: 'Widget',
}
export type Words = typeof words
