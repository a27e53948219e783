export const words = {
  title: 'Confirm e-mail',
}
export type Words = typeof words
