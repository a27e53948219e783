/** A payment that was reported, in the terms of the events it causes. */
export interface Payment {
  outcome: 'succeeded' | 'failed'
  id: string
  /** In the currency's smallest unit. */
  amount: number
  currency: string
  email: string | null
  reason: string
}

/** Credits that were bought. */
export interface Addon {
  credits: number
  reference: string
  workspaceId: string | undefined
}

/** One consequence of a payment provider's event. */
export type PaymentEffect =
  | { type: 'payment'; payment: Payment; addon: Addon | undefined }
  | {
      type: 'plan_changed'
      before: string
      plan: string
      isUpgrade: boolean
      workspaceId: string | undefined
    }
  | {
      type: 'cancelled'
      plan: string
      endsAt: number
      /** Ended at once, and not at the end of the paid period. */
      isEnded: boolean
      /** An earlier event already reported the cancellation. */
      wasReported: boolean
      workspaceId: string | undefined
    }
  | { type: 'cancellation_revoked'; workspaceId: string | undefined }

/** The time of a payment provider's event, in milliseconds, and its consequences in order. */
export interface PaymentReport {
  at: number
  effects: PaymentEffect[]
}
