import { type Context, transaction } from '../../context.ts'
import type { DataOf } from '../../events/registry.ts'
import { emit } from '../../events.ts'
import { isoTime } from '../../http/pagination.ts'
import type { PublishSteps } from '../channels/post-publisher.ts'
import { channelOf, secretsOf, settingsOf } from '../integrations.ts'
import type { ProviderApi } from '../outbound/provider-api.ts'
import { type IntegrationQueue, socialPosts } from '../queue.ts'
import { type PostRow, updatePost } from './store.posts.ts'
import { type IntegrationRow, findIntegration } from '../store.ts'
import { PermanentError, RetryableError } from '../errors.ts'

const MAX_CONCURRENCY = 4
/** Longer than the timeouts of all calls for one post. */
const LEASE_MS = 2 * 60_000
const OUTCOME_UNKNOWN =
  'It is not known whether the network published it. Look there before you post it again.'

/** The queue of due posts. Each post is published at most once. */
export function postsQueue(ctx: Context, api: ProviderApi): IntegrationQueue<PostRow> {
  return { queue: socialPosts, concurrency: MAX_CONCURRENCY, leaseMs: LEASE_MS, run }

  async function run(row: PostRow, signal: AbortSignal): Promise<void> {
    const integration = await findIntegration(ctx.db, row.integration_id)
    if (!integration) return
    if (integration.disabled_at !== null)
      throw new PermanentError('The integration is switched off.')
    if (await ctx.suspensions.has(row.workspace_id))
      throw new PermanentError('The workspace is suspended.')
    // An earlier attempt died or lost the answer, and a duplicate post is worse than none.
    if (row.asked_at !== null) throw new PermanentError(OUTCOME_UNKNOWN)
    const { posts } = channelOf(integration)
    if (!posts) throw new PermanentError('This kind of integration publishes no posts.')
    const token = secretsOf(ctx, integration)[posts.tokenField]
    if (token === undefined) throw new PermanentError('The integration has no access token.')
    const settings = settingsOf(integration)
    const account = { settings, token }
    const steps = publishSteps(row, signal)
    const post = { text: row.text, imageUrl: row.image_url, draftId: row.provider_draft_id }
    const postId = await posts.publish(account, post, steps)
    const url = await posts.findLink(account, postId, steps).catch((error: unknown) => {
      // The post is published even where its link is not known.
      ctx.log.warn(
        { event: 'posts.link_failed', err: error, post: postId },
        'looking up the link of a post failed',
      )
      return null
    })
    const data = {
      platform: posts.platform(settings),
      account_id: settings[posts.accountField] ?? '',
    }
    await finish(integration, row, { ...data, post_id: postId, url })
  }

  function publishSteps(row: PostRow, signal: AbortSignal): PublishSteps {
    return {
      call: (call, answer) => api.call(call, answer, signal),
      callOnce: (call, answer) => askOnce(row, () => api.call(call, answer, signal)),
      saveDraft: async (id) => void (await updatePost(ctx.db, row, { provider_draft_id: id })),
    }
  }

  /** Stores the request before it is sent, so that another attempt does not send it again. */
  async function askOnce<Output>(row: PostRow, ask: () => Promise<Output>): Promise<Output> {
    if (!(await updatePost(ctx.db, row, { asked_at: ctx.now() }))) {
      throw new PermanentError('Another worker has the post.')
    }
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error
      if (error.mayHaveSucceeded) throw new PermanentError(OUTCOME_UNKNOWN, { cause: error })
      await updatePost(ctx.db, row, { asked_at: null })
      throw error
    }
  }

  async function finish(
    { workspace_id: workspaceId, tenant_id: tenantId, kind: source }: IntegrationRow,
    row: PostRow,
    published: Omit<DataOf<'social.post.published'>, 'published_at'>,
  ): Promise<void> {
    await transaction(ctx, async (tx) => {
      const { post_id: postId, url } = published
      const end = { provider_post_id: postId, url }
      if (!(await socialPosts.complete(tx.db, row, tx.now(), end))) return
      const data = { ...published, published_at: isoTime(tx.now()) }
      await emit(tx, 'social.post.published', { workspaceId, tenantId, source, data })
    })
  }
}
