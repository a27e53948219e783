export const words = {
  title: 'Settings',
}
export type Words = typeof words
