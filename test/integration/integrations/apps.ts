import type { Conversation, InboxSession } from '../../../server/inbox/schema.ts'
import type { CreatedIntegration, Page } from '../../helpers/answers.ts'
import {
  ACCESS_TOKEN,
  BOT_TOKEN,
  type ChannelServers,
} from '../../helpers/servers/channel-servers.ts'
import {
  type TestProduct,
  type TestWorkspace,
  addDocument,
  addWorkspace,
} from '../../helpers/product.ts'
import { openIntegration } from './setup.ts'

/** The visitors' question, which the workspace's only document answers. */
export const QUESTION = 'Çalışma saatleriniz nedir?'

/** A workspace that answers in three messaging apps. */
export interface Apps {
  workspace: TestWorkspace
  whatsapp: CreatedIntegration
  telegram: CreatedIntegration
  meta: CreatedIntegration
  /** The conversations of the workspace, the latest first. */
  inbox(): Promise<Page<InboxSession>['data']>
  /** The messages of a conversation, in order. */
  said(sessionId: string): Promise<{ role: string; content: string }[]>
  /** An operator does something with a conversation. */
  act(sessionId: string, what: string, body?: object): Promise<unknown>
  /** The queued jobs, with their attempts and the time until they are due. */
  waiting(): Promise<{ attempts: number; wait: number }[]>
}

/** Opens one, with its apps at these servers. */
export async function openApps(product: TestProduct, servers: ChannelServers): Promise<Apps> {
  const workspace = await addWorkspace(product, { tenant: { locale: 'tr', greeting: '' } })
  await addDocument(product, workspace, {
    title: 'Çalışma saatleri',
    content: '# Çalışma saatleri\n\nHafta içi her gün 09:00 ile 18:00 arasında açığız.',
  })
  const { token } = workspace
  const api_base_url = servers.url
  const get = async <Body>(path: string) => (await product.call<Body>(path, { token })).body
  return {
    workspace,
    whatsapp: await openIntegration(product, workspace, 'whatsapp', {
      phone_number_id: '106540352242922',
      access_token: ACCESS_TOKEN,
      api_base_url,
    }),
    telegram: await openIntegration(product, workspace, 'telegram', {
      bot_token: BOT_TOKEN,
      api_base_url,
    }),
    meta: await openIntegration(product, workspace, 'meta', {
      account_id: '1906385232743451',
      access_token: ACCESS_TOKEN,
      api_base_url,
    }),
    inbox: async () => (await get<Page<InboxSession>>('/api/v1/inbox')).data,
    said: async (sessionId) =>
      (await get<Conversation>(`/api/v1/inbox/${sessionId}`)).messages.data.map(
        ({ role, content }) => ({ role, content }),
      ),
    act: (sessionId, what, body = {}) =>
      product.call(`/api/v1/inbox/${sessionId}/${what}`, { token, body }),
    async waiting() {
      const rows = await Promise.all(
        (['channel_messages', 'inbound_events'] as const).map((table) =>
          product.ctx.db
            .selectFrom(table)
            .select(['attempts', 'next_at'])
            .where('workspace_id', '=', workspace.id)
            .where('state', '=', 'waiting')
            .execute(),
        ),
      )
      return rows
        .flat()
        .map(({ attempts, next_at }) => ({ attempts, wait: next_at - product.ctx.now() }))
    },
  }
}
