/** English sentences of actions: what the assistant asks and says around a call. */
export const en = {
  ask: (label: string) => `Please tell me: ${label}.`,
  askAgain: 'That does not look like a valid value.',
  confirm: (name: string) => `Shall I go ahead? ${name}`,
  confirmEnd: 'Please answer “yes” or “no”.',
  yes: 'Yes',
  no: 'No',
  cancel: 'Cancel',
  cancelled: 'All right, I have not done anything.',
  notFound: 'I could not find anything with these details. Please check them.',
  failed: 'I could not get this from our system just now. Nothing was changed.',
  unknown: 'I cannot tell whether this went through, and I have not tried again.',
  refused: 'Our system did not accept this. Nothing was changed.',
  verify: 'For this I need to know who you are. Please sign in on this site and ask again.',
  busy: 'That was a lot in a short time. Please try again in a minute.',
}

export type ActionStrings = typeof en
