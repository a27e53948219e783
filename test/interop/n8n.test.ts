import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import type { Session } from '../../server/chat/schema.ts'
import { describeOnDatabase, useDatabase } from '../helpers/databases.ts'
import { eventually } from '../helpers/eventually.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../helpers/product.ts'
import { type Receiver, startReceiver } from '../helpers/servers/receiver.ts'
import { useProduct } from '../helpers/use-product.ts'
import { type N8n, startN8n } from './n8n-server.ts'

/** Where n8n is installed, or shall be; too much to bring it for every run. */
const FOLDER = process.env.TEST_N8N
const WORKFLOW = 'integrations/n8n/leads.json'
const SLACK = 'https://hooks.slack.com/services/T…/B…/…'
const SECRET = 'a secret that is at least 32 characters long'
/** Installing n8n takes minutes. */
const PATIENCE_MS = 900_000

interface Workflow {
  id: string
  nodes: { name: string; parameters: object }[]
  connections: Record<string, { main: { node: string }[][] }>
}

async function readWorkflow(address = SLACK): Promise<Workflow> {
  const text = await readFile(WORKFLOW, 'utf8')
  const workflow: Workflow = JSON.parse(text.replace(SLACK, address))
  return workflow
}

test('the workflow for n8n leads from the webhook to one address, which is to be filled in', async () => {
  const { nodes, connections } = await readWorkflow()
  const walked = ['Receive']
  for (const name of walked)
    walked.push(...(connections[name]?.main.flat().map(({ node }) => node) ?? []))
  expect(walked).toEqual(nodes.map(({ name }) => name))
  expect(nodes.at(-1)?.parameters).toMatchObject({ url: SLACK })
  expect(JSON.stringify(nodes)).not.toContain('hmacSecret')
})

if (FOLDER)
  describeOnDatabase('n8n with our workflow', (database) => {
    const product = useProduct(database, { settings: { ALLOW_PRIVATE_TARGETS: 'true' } })
    const store = useDatabase('postgres')
    let own: TestWorkspace
    let slack: Receiver
    let n8n: N8n
    let runs: pg.Client

    beforeAll(async () => {
      own = await addWorkspace(product)
      slack = await startReceiver()
      const { databaseUrl = '' } = await store.createEmpty()
      const workflow = await readWorkflow(slack.url)
      n8n = await startN8n(FOLDER, databaseUrl, workflow, { SohbetSecret: SECRET })
      runs = new pg.Client({ connectionString: databaseUrl })
      await runs.connect()
    }, PATIENCE_MS)
    afterAll(async () => {
      await runs?.end()
      await n8n?.stop()
      await slack?.close()
    }, PATIENCE_MS)

    const call = <Body>(path: string, body?: object, method = body ? 'POST' : 'GET') =>
      product.call<Body>(path, { token: own.token, method, ...(body && { body }) })

    /** Waits until n8n has finished that many runs, all without an error. */
    const finished = (count: number) =>
      eventually(async () => {
        const { rows } = await runs.query('select status from execution_entity')
        expect(rows.map(({ status }) => status)).toEqual(Array(count).fill('success'))
      })

    test('hands each lead on once, and nothing that we did not sign', async () => {
      const url = `${n8n.url}/webhook/sohbet-leads`
      const made = await call<{ id: string }>('/api/v1/webhooks', {
        url,
        events: ['chatbot.lead'],
        secret: SECRET,
      })
      expect(made.status, made.text).toBe(201)
      const webhook = `/api/v1/webhooks/${made.body.id}`
      await finished(1)
      // The same sample twice, as after an answer that was lost.
      for (const count of [2, 3]) {
        const sent = await call(`${webhook}/test`, { event: 'chatbot.lead' })
        expect(sent.status, sent.text).toBe(200)
        await finished(count)
      }
      await call(webhook, undefined, 'DELETE')

      const id = 'evt_1'
      const at = Math.floor(Date.now() / 1_000)
      const forged = JSON.stringify({ event: 'chatbot.lead', data: { lead_id: 'lead_x' } })
      const signed = createHmac('sha256', 'a guess').update(`${id}.${at}.${forged}`)
      await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': `${at}`,
          'webhook-signature': `v1,${signed.digest('base64')}`,
        },
        body: forged,
      })
      await finished(4)

      const rule = { name: 'n8n', event: 'lead.created', url, secret: SECRET }
      const added = await call('/api/v1/webhooks/rules-engine/rules', rule)
      expect(added.status, added.text).toBe(201)
      const token = await addVisitor(product, own)
      const session = await product.call<Session>('/api/v1/chatbot/sessions', {
        token,
        body: { tenant_id: own.tenantId },
      })
      await product.call(`/api/v1/chatbot/sessions/${session.body.session_id}/lead`, {
        token,
        body: {
          name: 'İnci <Şen>',
          phone: '0532 123 45 67',
          email: 'inci@example.com',
          interest: 'Kâse & tabak',
        },
      })
      await finished(5)

      const [sample, lead, ...more] = slack.received.map(({ body }): unknown => JSON.parse(body))
      expect(sample).toEqual({ text: expect.stringMatching(/^New lead: ./) })
      expect(lead).toEqual({
        text: 'New lead: İnci &lt;Şen&gt;, +905321234567, inci@example.com\nKâse &amp; tabak',
      })
      expect(more).toEqual([])
    })
  })
