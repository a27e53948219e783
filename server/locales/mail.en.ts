/** What mails say, in English, and the page that shows them to a developer. */
export const en = {
  devPage: {
    title: 'Mails that were not sent',
    explanation:
      'There is no SMTP_URL, so mails are shown here, for a day. In production they are not.',
    none: 'There are none.',
    to: 'To',
    subject: 'Subject',
    at: 'At',
    attachments: 'Attachments',
  },
}

export type MailWords = typeof en
