export const words = {
  title: 'Invitation',
}
export type Words = typeof words
