/** English strings of the page that a person sees in place of a problem document. */
export const en = {
  missing: {
    title: 'There is nothing here',
    lead: 'The address may be mistyped, or what was here has been removed.',
  },
  failed: {
    title: 'Something went wrong',
    lead: 'Please try again in a moment.',
  },
  reference: 'Reference',
}

export type ErrorPageStrings = typeof en
