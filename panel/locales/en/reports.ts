export const words = {
  title: 'Reports',
}
export type Words = typeof words
