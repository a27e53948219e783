import { afterEach, beforeEach, expect, test } from 'vitest'
import { chatBody } from '../../../server/delivery/signature.ts'
import { EVENTS, internalName } from '../../../server/events/registry.ts'
import { catalogueEntry } from '../../../server/rules/catalogue.ts'
import { RuleEvent } from '../../../server/rules/schema.ts'
import { PlatformEvent } from '../../../server/subscriptions/schema.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type Received, type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { openPromptWorkspace, usePromptProduct } from '../prompts/setup.ts'
import { CHAT_CAUSES, PLATFORM_CAUSES, type World } from './causes.ts'

const WEBHOOKS = '/api/v1/webhooks'
const SECRET = 'a secret of at least thirty-two characters'

describeOnDatabase('every event', (database) => {
  const clock = new TestClock(Date.UTC(2027, 0, 5, 10))
  let world: World
  let receiver: Receiver
  const product = usePromptProduct(database, { clock })
  beforeEach(async () => {
    receiver = await startReceiver()
    const workspace = await openPromptWorkspace(product, { credits: 8 })
    world = { product, workspace, clock }
  })
  afterEach(() => receiver.close())

  const call = (path: string, body: object) =>
    product.call<{ id: string }>(path, { token: world.workspace.token, body })

  const subscribe = async (event: PlatformEvent) => {
    const wanted = { url: receiver.url, events: [event], secret: SECRET }
    const made = await call(WEBHOOKS, wanted)
    expect(made).toMatchObject({ status: 201, body: { state: 'active' } })
    return made.body.id
  }

  const arrives = async (event: string): Promise<Received> => {
    const found = () =>
      receiver.received.filter(({ body }) => JSON.parse(body).event === event).slice(0, 2)
    await expect.poll(found).toHaveLength(1)
    const [request] = found()
    if (!request) throw new Error('It was there a moment ago.')
    return request
  }

  test.each(PlatformEvent.options)(
    'that a subscription can wait for arrives when it happens: %s',
    async (event) => {
      await subscribe(event)
      await PLATFORM_CAUSES[event](world)
      const { headers, body } = await arrives(event)
      expect(headers['x-svc-event']).toBe(event)
      const told = JSON.parse(body)
      expect(Object.keys(told)).toEqual(['event', 'created_at', 'data'])
      expect(EVENTS[internalName(event)].data.strict().parse(told.data)).toEqual(told.data)
    },
  )

  test.each(RuleEvent.options)(
    'that a rule can wait for arrives when it happens: %s',
    async (event) => {
      const rule = { name: event, event, url: receiver.url, secret: SECRET }
      expect(await call(`${WEBHOOKS}/rules-engine/rules`, rule)).toMatchObject({ status: 201 })
      await CHAT_CAUSES[event](world)
      const { body } = await arrives(event)
      const { webhook_id: id, timestamp, data } = JSON.parse(body)
      expect(body).toBe(chatBody(SECRET, { event, id, at: Date.parse(timestamp), data }))
      expect(EVENTS[event].data.strict().parse(data)).toEqual(data)
    },
  )

  test.each(PlatformEvent.options)('has a sample as a test sends it: %s', async (event) => {
    const id = await subscribe(event)
    expect(await call(`${WEBHOOKS}/${id}/test`, { event })).toMatchObject({ body: { ok: true } })
    const { data } = JSON.parse((await arrives(event)).body)
    expect(data).toEqual(EVENTS[internalName(event)].sample)
    expect(EVENTS[internalName(event)].data.strict().parse(data)).toEqual(data)
  })

  test.each(RuleEvent.options)('has a sample as the catalogue shows it: %s', (event) => {
    const { data } = catalogueEntry(event).sample
    expect(EVENTS[event].data.strict().parse(data)).toEqual(data)
  })

  test('is in the description of the API, with the shape of its data', async () => {
    const { body } = await product.call<{ webhooks: Record<string, unknown> }>(
      '/api/v1/openapi.json',
    )
    const names = [...PlatformEvent.options, ...RuleEvent.options, 'ping']
    expect(Object.keys(body.webhooks).toSorted()).toEqual(names.toSorted())
    const described = JSON.stringify(body.webhooks['social.comment.received'])
    for (const word of ['X-SVC-Signature', 'webhook-signature', 'comment_id', 'created_at']) {
      expect(described).toContain(word)
    }
    expect(JSON.stringify(body.webhooks['lead.created'])).toContain('X-CHAT-Signature')
  })
})
