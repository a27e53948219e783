/** How many mails visitors had sent to an address: outlives the conversations that they came from. */
export const mailCounts: readonly string[] = [
  `create table mail_counts (
    recipient text primary key,
    sent bigint not null,
    ends_at bigint not null
  )`,
  `create index mail_counts_age on mail_counts (ends_at)`,
]
