/** Notifications as the providers send them. */

let told = 0

/** A number that no other notification has. */
export function nextNumber(): number {
  told += 1
  return told
}

/** A message to a WhatsApp number, by its kind and what is in it. */
export function whatsappMessage(
  from: string,
  content: Record<string, unknown>,
  id = `wamid.HBgL${nextNumber()}`,
): object {
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922' },
              contacts: [{ profile: { name: 'Ayşe' }, wa_id: from }],
              messages: [{ from, id, timestamp: '1749416383', ...content }],
            },
          },
        ],
      },
    ],
  }
}

export function whatsappText(from: string, body: string, id?: string): object {
  return whatsappMessage(from, { type: 'text', text: { body } }, id)
}

/** A text to a Telegram bot in a private chat. */
export function telegramText(chat: number, text: string, updateId = nextNumber()): object {
  return {
    update_id: updateId,
    message: {
      message_id: updateId,
      from: { id: chat, is_bot: false, first_name: 'Ayşe', language_code: 'en' },
      chat: { id: chat, first_name: 'Ayşe', type: 'private' },
      date: 1_749_416_383,
      text,
    },
  }
}

/** A message to a Facebook page or an Instagram account. */
export function metaText(
  from: string,
  text: string,
  { object = 'page', account = '1906385232743451' } = {},
): object {
  const mid = `m_${nextNumber()}`
  const message = { mid, text }
  const messaging = [{ sender: { id: from }, recipient: { id: account }, timestamp: 1, message }]
  return { object, entry: [{ id: account, time: 1, messaging }] }
}

/** A comment on a page's post. */
export function facebookComment(text: string, account = '1906385232743451'): object {
  const value = {
    item: 'comment',
    verb: 'add',
    comment_id: `${account}_${nextNumber()}`,
    post_id: `${account}_1`,
    parent_id: `${account}_1`,
    created_time: 1_749_416_383,
    from: { id: '4242', name: 'Mehmet' },
    message: text,
  }
  return { object: 'page', entry: [{ id: account, time: 1, changes: [{ field: 'feed', value }] }] }
}

/** A checkout of Stripe that was paid. */
export function paidCheckout(more: Record<string, unknown> = {}, type = 'completed'): object {
  const number = nextNumber()
  return {
    id: `evt_${number}`,
    object: 'event',
    type: `checkout.session.${type}`,
    created: 1_799_143_200,
    data: {
      object: {
        id: `cs_${number}`,
        object: 'checkout.session',
        payment_intent: `pi_${number}`,
        payment_status: 'paid',
        mode: 'payment',
        invoice: null,
        amount_total: 49_900,
        currency: 'try',
        customer_details: { email: 'ayse@example.com' },
        client_reference_id: null,
        metadata: {},
        ...more,
      },
    },
  }
}

/** A payment of Stripe that succeeded or failed. */
export function intent(
  outcome: 'succeeded' | 'payment_failed',
  id = `pi_i${nextNumber()}`,
): object {
  const isFailed = outcome === 'payment_failed'
  return {
    id: `evt_${nextNumber()}`,
    object: 'event',
    type: `payment_intent.${outcome}`,
    created: 1_799_143_200,
    data: {
      object: {
        id,
        object: 'payment_intent',
        amount: 49_900,
        currency: 'try',
        receipt_email: null,
        last_payment_error: isFailed
          ? { code: 'card_declined', decline_code: 'insufficient_funds' }
          : null,
      },
    },
  }
}

/** A subscription of Stripe: another price, a cancellation, or its end. */
export function subscription(
  type: 'updated' | 'deleted',
  now: Record<string, unknown>,
  previous?: Record<string, unknown>,
): object {
  return {
    id: `evt_${nextNumber()}`,
    object: 'event',
    type: `customer.subscription.${type}`,
    created: 1_799_143_200,
    data: {
      object: {
        id: 'sub_1',
        object: 'subscription',
        items: { object: 'list', data: [{ price: priceOf('basic', 100) }] },
        cancel_at_period_end: false,
        metadata: {},
        ...now,
      },
      ...(previous ? { previous_attributes: previous } : {}),
    },
  }
}

/** A price by the name that its seller gave it. */
export function priceOf(lookup_key: string, unit_amount: number): object {
  return { id: `price_${lookup_key}`, object: 'price', lookup_key, unit_amount, metadata: {} }
}
