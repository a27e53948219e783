export const words = {
  title: 'New password',
}
export type Words = typeof words
