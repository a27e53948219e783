import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SocialPost } from '../../../server/integrations/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import {
  ACCESS_TOKEN,
  type ChannelServers,
  TOO_MUCH,
  startChannelServers,
} from '../../helpers/servers/channel-servers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { openIntegration } from './setup.ts'

const BASE = '/api/v1/social/posts'
/** Less than a token lasts. */
const SOON = 5 * 60_000
const IMAGE = 'https://images.example/open.jpg'

describeOnBothDatabases('a social post', (database) => {
  const clock = new TestClock(Date.UTC(2027, 0, 5, 10))
  let workspace: TestWorkspace
  let servers: ChannelServers
  let page: string
  let instagram: string
  beforeAll(async () => {
    servers = await startChannelServers()
  })
  afterAll(() => servers.close())
  const product = useProduct(database, {
    clock,
    settings: { ALLOW_PRIVATE_TARGETS: 'true' },
  })
  beforeEach(async () => {
    servers.calls.length = 0
    servers.refusals.length = 0
    servers.posts.clear()
    servers.draftState = 'FINISHED'
    workspace = await addWorkspace(product)
    const account = { access_token: ACCESS_TOKEN, api_base_url: servers.url }
    const open = async (settings: object) =>
      (await openIntegration(product, workspace, 'meta', { ...account, ...settings }))
        .integration_id
    page = await open({ account_id: '1906385232743451' })
    instagram = await open({ account_id: '17841400008460056', platform: 'instagram' })
  })

  const add = (body: object) =>
    product.call<SocialPost & Problem>(BASE, {
      token: workspace.token,
      body: { text: 'Bugün açığız.', ...body },
    })
  const read = async ({ body }: { body: SocialPost & Problem }) =>
    (
      await product.call<SocialPost & Problem>(`${BASE}/${body.social_post_id}`, {
        token: workspace.token,
      })
    ).body
  const becomes = async (post: { body: SocialPost & Problem }, state: string) => {
    await expect.poll(async () => (await read(post)).state).toBe(state)
    return read(post)
  }
  const published = () =>
    servers.calls.filter(({ path }) => /\/(feed|photos|media_publish)$/.test(path))

  test('is published on a page, with and without a picture', async () => {
    const plain = await add({ integration_id: page })
    expect(plain).toMatchObject({ status: 201, body: { state: 'queued', post_id: null } })
    expect(await becomes(plain, 'published')).toMatchObject({
      post_id: expect.stringMatching(/^1906385232743451_\d+$/),
      url: expect.stringMatching(/^https:\/\/social\.example\//),
      published_at: '2027-01-05T10:00:00.000Z',
    })
    await becomes(await add({ integration_id: page, image_url: IMAGE }), 'published')
    expect(published()).toMatchObject([
      { path: '/1906385232743451/feed', body: { message: 'Bugün açığız.' } },
      { path: '/1906385232743451/photos', body: { url: IMAGE, caption: 'Bugün açığız.' } },
    ])
  })

  test('is prepared and then published on Instagram, once it is ready', async () => {
    servers.draftState = 'IN_PROGRESS'
    const post = await add({ integration_id: instagram, image_url: IMAGE })
    await expect
      .poll(async () => (await read(post)).error)
      .toBe('Instagram still prepares the picture.')
    expect(published()).toEqual([])
    for (const draft of servers.posts.values()) draft.status_code = 'FINISHED'
    clock.move(6_000)
    expect(await becomes(post, 'published')).toMatchObject({ error: null })
    const paths = servers.calls.map(({ path }) => path.split('?')[0]?.split('/')[2])
    expect(paths.filter((edge) => edge !== undefined)).toEqual(['media', 'media_publish'])
  })

  test('waits for its time, and can be taken back until then', async () => {
    const publish_at = new Date(clock.now() + SOON).toISOString()
    const one = await add({ integration_id: page, publish_at })
    const other = await add({ integration_id: page, publish_at })
    expect(one.body.state).toBe('scheduled')
    const path = `${BASE}/${other.body.social_post_id}`
    const cancel = () => product.call(path, { method: 'DELETE', token: workspace.token })
    expect((await cancel()).status).toBe(204)
    expect((await cancel()).status).toBe(204)
    clock.move(SOON - 2_000)
    expect(published()).toEqual([])
    clock.move(4_000)
    await becomes(one, 'published')
    expect((await read(other)).state).toBe('cancelled')
    expect(published()).toHaveLength(1)
    const late = `${BASE}/${one.body.social_post_id}`
    expect(await product.call(late, { method: 'DELETE', token: workspace.token })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })

  test('is tried again when the network is busy, and published once', async () => {
    servers.refusals.push(TOO_MUCH.graph(4), { status: 503, body: {} })
    const post = await add({ integration_id: page })
    await expect.poll(() => servers.calls.length).toBe(1)
    await expect.poll(async () => (await read(post)).error).toContain('code 4')
    clock.move(6_000)
    await expect.poll(async () => (await read(post)).error).toContain('status 503')
    clock.move(31_000)
    await becomes(post, 'published')
    expect(servers.posts.size).toBe(1)
  })

  test('is not published twice when nobody knows whether it was', async () => {
    const publish_at = new Date(clock.now() + SOON).toISOString()
    const post = await add({ integration_id: page, publish_at })
    // As a process leaves it that dies between the question and the answer.
    await product.ctx.db
      .updateTable('social_posts')
      .set({ asked_at: clock.now() })
      .where('id', '=', post.body.social_post_id)
      .execute()
    clock.move(SOON + 1_000)
    expect((await becomes(post, 'failed')).error).toContain('not known')
    expect(published()).toEqual([])
  })

  test('says why the network refused it', async () => {
    servers.refusals.push({
      status: 400,
      body: { error: { message: 'Duplicate status message', code: 506 } },
    })
    const { error } = await becomes(await add({ integration_id: page }), 'failed')
    expect(error).toContain('Duplicate status message')
  })

  test('needs a plan with social, a picture on Instagram, and an integration that can post', async () => {
    expect(await add({ integration_id: instagram })).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/image_url' }] },
    })
    const { integration_id: generic } = await openIntegration(product, workspace, 'generic')
    expect(await add({ integration_id: generic })).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/integration_id' }] },
    })
    const { integration_id: bare } = await openIntegration(product, workspace, 'meta')
    expect(await add({ integration_id: bare })).toMatchObject({ status: 409 })
    const starter = await addWorkspace(product, { plan: 'starter' })
    const token = starter.token
    expect(await product.call(BASE, { token, body: {} })).toMatchObject({
      status: 403,
      body: { code: 'not_in_plan' },
    })
  })
})
