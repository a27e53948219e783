export const words = {
  title: 'Prompts',
}
export type Words = typeof words
