export const words = {
  title: 'Team',
}
export type Words = typeof words
