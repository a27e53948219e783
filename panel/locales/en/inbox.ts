export const words = {
  title: 'Inbox',
}
export type Words = typeof words
