/** The strings of everything after the first answer. A language that misses one does not compile. */
export interface LazyStrings {
  cut: string
  unpaid: string
  refused: string
  waiting: (seconds: number) => string
  waitingBriefly: string
  retrying: string
  backOnline: string
  historyFailed: string
  contactOpen: string
  /** The name of the actions below an answer. */
  offers: string
  bookOpen: string
  withPeople: string
  inQueue: string
  joined: string
  closed: string
  operatorTyping: string
  sent: string
  seen: string
  lost: string
  handoff: string
  failed: string
  offline: string
  sound: string
  alerts: string
  counted: string
  newChat: string
  past: string
  noPast: string
  isOpen: string
  isShut: string
  /** The hours of today, such as 09:00–18:00. */
  hours: (hours: string) => string
  isShutToday: string
  transcript: string
  transcriptSent: (email: string) => string
  email: string
  send: string
  cancel: string
  data: string
  dataShown: string
  done: string
  download: string
  erase: string
  eraseSure: string
  erased: string
  rate: string
  stars: [string, string, string, string, string]
  comment: string
  rated: string
  helpful: string
  notHelpful: string
  missing: string
  attach: string
  /** The name of the list of what was sent. */
  files: string
  fileFailed: string
  contact: ContactStrings
  calendar: CalendarStrings
}

/** The strings of the contact form. */
export interface ContactStrings {
  title: string
  intro: string
  name: string
  phone: string
  email: string
  interest: string
  submit: string
  submitting: string
  cancel: string
  required: string
  badName: string
  badPhone: string
  badEmail: string
  badInterest: string
  consent: string
  policy: string
  consentNeeded: string
  codeSent: (email: string) => string
  badCode: string
  failed: string
  offline: string
  wait: (seconds: number) => string
  thanks: (name: string) => string
}

/** The strings of the slot picker. */
export interface CalendarStrings {
  title: string
  intro: string
  loading: string
  none: string
  failed: string
  days: string
  times: string
  earlier: string
  later: string
  /** The zone that the times are in. */
  zone: (zone: string) => string
  /** The same time where the visitor is. */
  yours: (time: string) => string
  service: string
  submit: string
  /** Links of the confirmation: the page that changes it, and the calendar file. */
  manage: string
  file: string
  taken: string
  pick: string
  thanks: (when: string) => string
}
