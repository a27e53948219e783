import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { IndexCache } from '../../../../server/knowledge/index-cache.ts'
import { knowledgeJobs, enqueue } from '../../../../server/knowledge/documents/job-queue.ts'
import {
  inboundEvents,
  outboundMessages,
  socialPosts,
} from '../../../../server/integrations/queue.ts'
import { insertMail, outgoingMails } from '../../../../server/mail/store.ts'
import { newId } from '../../../../server/lib/ids.ts'
import {
  insertPushMessages,
  pushMessages,
  savePushSubscription,
} from '../../../../server/notifications/push/store.ts'
import type { Me } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { type TestWorkspace, addDocument, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { openIntegration } from '../../integrations/setup.ts'

/** So late that the worker of the product claims none of the jobs. */
const LATER = Date.UTC(2100, 0, 1)
const LEASE_MS = 60_000

describeOnBothDatabases('a workspace with more work than its share', (database) => {
  const product = useProduct(database)

  test('has its documents read in turns with those of others', async () => {
    const [greedy, ...others] = [
      await addWorkspace(product),
      await addWorkspace(product),
      await addWorkspace(product),
    ]
    const add = async (workspace: TestWorkspace, at: number) => {
      const content = 'Kargo iki günde gelir.'
      const documentId = await addDocument(product, workspace, { title: 'Text', content })
      const job = { documentId, workspaceId: workspace.id, kind: 'file', at } as const
      await enqueue(product.ctx.db, job)
    }
    for (let n = 0; n < 6; n += 1) await add(greedy, LATER + n)
    for (const other of others) await add(other, LATER + 100)
    const served: string[] = []
    let lastGroup: string | undefined
    for (let n = 0; n < 8; n += 1) {
      const claim = { now: LATER + 200, until: LATER + LEASE_MS, token: `token-${n}`, limit: 1 }
      const [job] = await knowledgeJobs.claim(product.ctx.db, { ...claim, kind: 'file', lastGroup })
      if (!job) throw new Error('There is no job left.')
      served.push(job.workspace_id)
      lastGroup = knowledgeJobs.groupOf(job)
      await knowledgeJobs.complete(product.ctx.db, job, LATER)
    }
    expect(new Set(served.slice(0, 3)).size).toBe(3)
    expect(served.slice(3)).toEqual(Array.from({ length: 5 }, () => greedy.id))
  })

  test('has its push messages sent beside those of others', async () => {
    const { db, now } = product.ctx
    const [greedy, other] = [await addWorkspace(product), await addWorkspace(product)]
    const add = async ({ id, token }: TestWorkspace, count: number, at: number) => {
      const { body } = await product.call<Me>('/api/v1/auth/me', { token })
      const subscription = {
        id: newId('psh'),
        workspace_id: id,
        user_id: body.user.id,
        endpoint_digest: id,
        content: '',
        created_at: now(),
      }
      await savePushSubscription(db, subscription)
      const message = () => ({
        id: newId('ntf'),
        workspace_id: id,
        subscription_id: subscription.id,
        session_id: null,
        payload: '',
        attempts: 0,
        created_at: now(),
        next_at: at,
        lease_token: null,
        lease_until: null,
      })
      await insertPushMessages(db, Array.from({ length: count }, message))
    }
    await add(greedy, 20, LATER)
    await add(other, 1, LATER + 100)
    const until = LATER + LEASE_MS
    const claim = { now: LATER + 200, until, token: 'token', limit: 5 }
    const jobs = await pushMessages.claim(db, claim)
    const ids = jobs.map((job) => job.workspace_id)
    expect(ids.filter((id) => id === greedy.id)).toHaveLength(2)
    expect(ids).toContain(other.id)
  })

  test.each([inboundEvents, outboundMessages, socialPosts])(
    'leaves places of the workers to others: $name',
    async (queue) => {
      const { db } = product.ctx
      const [greedy, other] = [await addWorkspace(product), await addWorkspace(product)]
      const add = async (workspace: TestWorkspace, count: number, at: number) => {
        const { integration_id } = await openIntegration(product, workspace, 'generic')
        for (let position = 0; position < count; position += 1) {
          const id = newId('inb')
          const row = {
            id,
            workspace_id: workspace.id,
            integration_id,
            lane: id,
            position,
            state: 'waiting',
            attempts: 0,
            next_at: at,
            created_at: at,
            ...(queue === inboundEvents ? { provider_event_id: id } : {}),
            ...(queue === socialPosts ? { text: 'Post', publish_at: at } : {}),
          }
          const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
          await sql`insert into ${sql.table(queue.name)} (${columns})
            values (${sql.join(Object.values(row))})`.execute(db)
        }
      }
      await add(greedy, 20, LATER)
      await add(other, 1, LATER + 100)
      const until = LATER + LEASE_MS
      const jobs = await queue.claim(db, { now: LATER + 200, until, token: 'token', limit: 16 })
      const ids = jobs.map((job) => job.workspace_id)
      expect(ids.filter((id) => id === greedy.id)).toHaveLength(queue === socialPosts ? 2 : 6)
      expect(ids).toContain(other.id)
      const none = { now: LATER + 300, until, token: 'another', limit: 16 }
      expect(await queue.claim(db, none)).toEqual([])
      // The lapsed leases of a dead worker are claimed again, in turns.
      const again = { now: until + 1, until: until + LEASE_MS, token: 'third', limit: 2 }
      const claimed = (await queue.claim(db, again)).map((job) => job.workspace_id)
      expect(new Set(claimed)).toEqual(new Set([greedy.id, other.id]))
    },
  )

  test('has its mails sent beside those of others', async () => {
    const { db, now } = product.ctx
    const [greedy, other] = [await addWorkspace(product), await addWorkspace(product)]
    const add = (workspace: TestWorkspace, at: number) =>
      insertMail(db, {
        id: newId('mail'),
        workspace_id: workspace.id,
        recipient: 'a@example.com',
        content: null,
        state: 'waiting',
        attempts: 0,
        created_at: now(),
        next_at: at,
      })
    for (let mail = 0; mail < 8; mail += 1) await add(greedy, LATER + mail)
    await add(other, LATER + 100)
    const claim = { now: LATER + 200, until: LATER + LEASE_MS, token: 'token', limit: 5 }
    const ids = (await outgoingMails.claim(db, claim)).map((job) => job.workspace_id)
    expect(ids.filter((id) => id === greedy.id)).toHaveLength(3)
    expect(ids).toContain(other.id)
  })

  test('has its search indexes built in turns with those of others', async () => {
    const other = await addWorkspace(product)
    const greedy = await addWorkspace(product)
    const sites = [greedy]
    for (let n = 0; n < 5; n += 1) {
      const tenantId = `greedy-${database.kind}-${n}`
      const body = { tenant_id: tenantId, name: 'Site' }
      await product.call('/api/v1/tenants', { token: greedy.token, body })
      sites.push({ ...greedy, tenantId })
    }
    await addDocument(product, greedy, {
      title: 'Words',
      content: manyWords().slice(0, 15_000).join(' '),
    })
    for (const site of [...sites, other]) {
      await addDocument(product, site, { title: 'Kargo', content: 'Kargo iki günde gelir.' })
    }
    const { ctx } = product
    const finished: string[] = []
    const find = async ({ id, tenantId }: TestWorkspace) => {
      const place = { workspaceId: id, tenantId, version: Date.now() + 1_000 }
      await ctx.indexes.find(ctx, place, { question: 'kargo' }, 1)
      finished.push(id)
    }
    // Its build takes so long that all others wait when it ends.
    const first = find(greedy)
    await product.call('/api/v1/tenants', { token: greedy.token })
    await Promise.all([first, ...[...sites.slice(1), other].map(find)])
    // In the order of arrival it would be the last of seven.
    expect(finished.indexOf(other.id)).toBeLessThan(5)
    expect(finished).toHaveLength(7)
  })

  test('does not keep a small site waiting while a large index is built', async () => {
    const [large, small] = [await addWorkspace(product), await addWorkspace(product)]
    const words = manyWords()
    for (let part = 0; part < 2; part += 1) {
      const content = words.slice(part * 20_000, (part + 1) * 20_000).join(' ')
      await addDocument(product, large, { title: `Part ${part}`, content })
    }
    await addDocument(product, small, { title: 'Kargo', content: 'Kargo iki günde gelir.' })
    const indexes = new IndexCache({ tenantBytes: 300_000_000, totalBytes: 320_000_000 })
    const finished: string[] = []
    const find = async ({ id, tenantId }: TestWorkspace) => {
      const place = { workspaceId: id, tenantId, version: Date.now() }
      await indexes.find(product.ctx, place, { question: 'kargo' }, 1)
      finished.push(id)
    }
    await Promise.all([large, small].map(find))
    expect(finished).toEqual([small.id, large.id])
  })
})

/** 40,000 words, each another one, of which an index takes long to build. */
function manyWords(): string[] {
  return Array.from({ length: 40_000 }, (_, at) => `${(at * 7_919 + 46_656).toString(36)}kargo`)
}
