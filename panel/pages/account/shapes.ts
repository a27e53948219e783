export const NOTICE_KINDS = ['lead', 'handoff', 'waiting', 'credits', 'webhooks'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export const FREQUENCIES = ['now', 'digest', 'never'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** `GET account/notifications`: what one is told, by mail and on one's devices. */
export interface Notices {
  email: Record<NoticeKind, Frequency>
  push: Record<NoticeKind, boolean>
}
