import { z } from 'zod'
import { PermanentError, RetryableError } from '../errors.ts'
import type { Account, ApiCall, ChannelSettings } from './api-call.ts'
import { GRAPH_API_URL } from './graph-api.ts'
import type { PendingPost, PostPublisher, PublishSteps } from './post-publisher.ts'

const Published = z
  .looseObject({ id: z.string(), post_id: z.string().optional() })
  .transform(({ id, post_id }) => post_id ?? id)
const Draft = z.looseObject({ id: z.string() }).transform(({ id }) => id)
const DraftState = z.looseObject({ status_code: z.string() })
const Link = z
  .looseObject({ permalink_url: z.string().optional(), permalink: z.string().optional() })
  .transform(({ permalink_url, permalink }) => permalink_url ?? permalink ?? null)

/** Posts of Facebook pages and Instagram accounts. */
export const metaPosts: PostPublisher = {
  tokenField: 'access_token',
  accountField: 'account_id',
  platform: (settings) => (isInstagram(settings) ? 'instagram' : 'facebook'),
  requiresImage: isInstagram,

  publish(account, post, steps) {
    return isInstagram(account.settings)
      ? publishOnInstagram(account, post, steps)
      : publishOnPage(account, post, steps)
  },

  findLink(account, postId, steps) {
    const field = isInstagram(account.settings) ? 'permalink' : 'permalink_url'
    return steps.call(objectCall(account, postId, field), Link)
  },
}

function isInstagram(settings: ChannelSettings): boolean {
  return settings.platform === 'instagram'
}

function publishOnPage(
  account: Account,
  { text, imageUrl }: PendingPost,
  steps: PublishSteps,
): Promise<string> {
  const call =
    imageUrl === null
      ? { ...edgeCall(account, 'feed'), body: { message: text } }
      : { ...edgeCall(account, 'photos'), body: { url: imageUrl, caption: text } }
  return steps.callOnce(call, Published)
}

/** Instagram fetches and prepares the picture first, and publishes a finished draft only. */
async function publishOnInstagram(
  account: Account,
  { text, imageUrl, draftId }: PendingPost,
  steps: PublishSteps,
): Promise<string> {
  let draft = draftId
  if (draft === null) {
    const body = { image_url: imageUrl, caption: text }
    draft = await steps.call({ ...edgeCall(account, 'media'), body }, Draft)
    await steps.saveDraft(draft)
  }
  const status = await steps.call(objectCall(account, draft, 'status_code'), DraftState)
  if (status.status_code === 'IN_PROGRESS') {
    throw new RetryableError('Instagram still prepares the picture.')
  }
  if (status.status_code !== 'FINISHED') {
    throw new PermanentError(`Instagram could not take the picture (${status.status_code}).`)
  }
  const body = { creation_id: draft }
  return steps.callOnce({ ...edgeCall(account, 'media_publish'), body }, Published)
}

/** A call of an edge of the account itself, such as its feed. */
export function edgeCall({ settings, token }: Account, edge: string): Omit<ApiCall, 'body'> {
  const base = settings.api_base_url ?? GRAPH_API_URL
  return {
    url: `${base}/${encodeURIComponent(settings.account_id ?? 'me')}/${edge}`,
    headers: { authorization: `Bearer ${token}` },
  }
}

/** A call that reads fields of an object by its id, such as a post. */
function objectCall({ settings, token }: Account, id: string, fields: string): ApiCall {
  const base = settings.api_base_url ?? GRAPH_API_URL
  return {
    url: `${base}/${encodeURIComponent(id)}?fields=${fields}`,
    headers: { authorization: `Bearer ${token}` },
  }
}
