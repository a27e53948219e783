import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { emit } from '../events.ts'
import { isoTime } from '../http/pages.ts'
import { type Account, callOf, objectOf } from './channels/meta.ts'
import { secretsOf, settingsOf } from './integrations.ts'
import type { ProviderApi } from './provider-api.ts'
import { type IntegrationQueue, socialPosts } from './queue.ts'
import { type PostRow, updatePost } from './store.posts.ts'
import { type IntegrationRow, findIntegration } from './store.ts'
import { PermanentError, RetryableError } from './errors.ts'

const MAX_CONCURRENCY = 4
/** Longer than the calls for one post take. */
const LEASE_MS = 2 * 60_000
const UNKNOWN =
  'It is not known whether the network published it. Look there before you post it again.'

const Published = z
  .looseObject({ id: z.string(), post_id: z.string().optional() })
  .transform(({ id, post_id }) => post_id ?? id)
const Draft = z.looseObject({ id: z.string() }).transform(({ id }) => id)
const DraftState = z.looseObject({ status_code: z.string() })
const Link = z
  .looseObject({ permalink_url: z.string().optional(), permalink: z.string().optional() })
  .transform(({ permalink_url, permalink }) => permalink_url ?? permalink ?? null)

/** The network that an integration of Meta is for. */
export function platformOf(integration: IntegrationRow): 'facebook' | 'instagram' {
  return settingsOf(integration).platform === 'instagram' ? 'instagram' : 'facebook'
}

/** Publishes posts when their time has come, each at most once. */
export function postsQueue(ctx: Context, api: ProviderApi): IntegrationQueue<PostRow> {
  return { queue: socialPosts, concurrency: MAX_CONCURRENCY, leaseMs: LEASE_MS, run }

  async function run(row: PostRow, signal: AbortSignal): Promise<void> {
    const integration = await findIntegration(ctx.db, row.integration_id)
    if (!integration) return
    if (integration.disabled_at !== null)
      throw new PermanentError('The integration is switched off.')
    // The process died, or the answer was lost: a second post would be worse than none.
    if (row.asked_at !== null) throw new PermanentError(UNKNOWN)
    const token = secretsOf(ctx, integration).access_token
    if (token === undefined) throw new PermanentError('The integration has no access token.')
    const account: Account = { settings: settingsOf(integration), token }
    const platform = platformOf(integration)
    const postId = await (platform === 'instagram'
      ? publishPicture(row, account, signal)
      : publishOnPage(row, account, signal))
    const url = await linkOf(account, platform, postId, signal)
    await finish(integration, { row, platform, postId, url })
  }

  function publishOnPage(row: PostRow, account: Account, signal: AbortSignal): Promise<string> {
    const { text, image_url: image } = row
    const call =
      image === null
        ? { ...callOf(account, 'feed'), body: { message: text } }
        : { ...callOf(account, 'photos'), body: { url: image, caption: text } }
    return askOnce(row, () => api.call(call, Published, signal))
  }

  /** Instagram fetches and prepares the picture first, and publishes what is ready. */
  async function publishPicture(
    row: PostRow,
    account: Account,
    signal: AbortSignal,
  ): Promise<string> {
    const draft = row.provider_draft_id ?? (await prepare(row, account, signal))
    const status = await api.call(objectOf(account, draft, 'status_code'), DraftState, signal)
    if (status.status_code === 'IN_PROGRESS') {
      throw new RetryableError('Instagram still prepares the picture.')
    }
    if (status.status_code !== 'FINISHED') {
      throw new PermanentError(`Instagram could not take the picture (${status.status_code}).`)
    }
    const body = { creation_id: draft }
    const call = { ...callOf(account, 'media_publish'), body }
    return askOnce(row, () => api.call(call, Published, signal))
  }

  async function prepare(row: PostRow, account: Account, signal: AbortSignal): Promise<string> {
    const body = { image_url: row.image_url, caption: row.text }
    const draft = await api.call({ ...callOf(account, 'media'), body }, Draft, signal)
    await updatePost(ctx.db, row, { provider_draft_id: draft })
    return draft
  }

  /** Notes that it is asked for before it is: whoever finds the note does not ask again. */
  async function askOnce(row: PostRow, ask: () => Promise<string>): Promise<string> {
    if (!(await updatePost(ctx.db, row, { asked_at: ctx.now() }))) {
      throw new PermanentError('Somebody else has the post.')
    }
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error
      if (error.mayHaveSucceeded) throw new PermanentError(UNKNOWN, { cause: error })
      await updatePost(ctx.db, row, { asked_at: null })
      throw error
    }
  }

  /** Where the post can be seen; it is there also when this is not told. */
  async function linkOf(
    account: Account,
    platform: 'facebook' | 'instagram',
    postId: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    const field = platform === 'instagram' ? 'permalink' : 'permalink_url'
    try {
      return await api.call(objectOf(account, postId, field), Link, signal)
    } catch (error) {
      ctx.log.warn({ err: error, post: postId }, 'a post has no link yet')
      return null
    }
  }

  async function finish(
    integration: IntegrationRow,
    done: { row: PostRow; platform: string; postId: string; url: string | null },
  ): Promise<void> {
    const { row, platform, postId, url } = done
    await transaction(ctx, async (tx) => {
      const end = { provider_post_id: postId, url }
      if (!(await socialPosts.complete(tx.db, row, tx.now(), end))) return
      await emit(tx, 'social.post.published', {
        workspaceId: integration.workspace_id,
        tenantId: integration.tenant_id,
        source: 'meta',
        data: {
          platform,
          account_id: settingsOf(integration).account_id ?? '',
          post_id: postId,
          url,
          published_at: isoTime(tx.now()),
        },
      })
    })
  }
}
