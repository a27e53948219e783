import type { MessagingApp } from '../../tenants/schema.ts'
import type { Channel, EventChannel, HookKind, MessagingChannel } from './channel.ts'
import { generic } from './generic.ts'
import { meta } from './meta.ts'
import { stripe } from './stripe.ts'
import { telegram } from './telegram.ts'
import { whatsapp } from './whatsapp.ts'

type Channels = Record<MessagingApp, MessagingChannel> &
  Record<Exclude<HookKind, MessagingApp>, EventChannel>

/** Every channel. A new one needs a file, a line here, and its kind in `MessagingApp` or `HookKind`. */
export const CHANNELS: Readonly<Channels> = { generic, whatsapp, telegram, meta, stripe }

/** The channel behind a session's `channel`; undefined for the widget and the API. */
export function findMessagingChannel(name: string): MessagingChannel | undefined {
  const found: Channel | undefined = Object.values(CHANNELS).find(({ kind }) => kind === name)
  return found?.messaging && found
}

/** The kinds whose channels have a capability, for sentences: `stripe and generic`. */
export function kindsWith(capability: (channel: Channel) => boolean): string {
  return Object.values(CHANNELS)
    .filter(capability)
    .map(({ kind }) => kind)
    .toSorted()
    .join(' and ')
}
