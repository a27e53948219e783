export const words = {
  title: 'Webhooks',
}
export type Words = typeof words
