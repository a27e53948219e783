export const words = {
  title: 'Installation',
}
export type Words = typeof words
