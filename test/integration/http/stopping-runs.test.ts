import { expect, test } from 'vitest'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { RunAnswer } from '../../../server/prompts/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { describeOnPostgres } from '../../helpers/databases.ts'
import { type ModelServer, startModelServer } from '../../helpers/servers/model-server.ts'
import { startTestProcess } from '../../helpers/process.ts'
import { OPERATOR_TOKEN, callOver } from '../../helpers/product.ts'
import { NAME, addPrompt, eventsOf, modelSettings } from '../prompts/setup.ts'

const ASKED = { prompt_id: 'greeting', ...NAME }

async function openOwner(url: string): Promise<string> {
  const owner = { email: 'owner@example.com', name: 'Owner', password: 'a long password' }
  await callOver(url, '/api/v1/operator/workspaces', {
    token: OPERATOR_TOKEN,
    body: { name: 'Shop', plan: 'klinik_pro', locale: 'tr', owner },
  })
  const { email, password } = owner
  const signedIn = await callOver<TokenAnswer>(url, '/api/v1/auth/token', {
    body: { email, password },
  })
  return signedIn.body.access_token
}

/** Starts the work that is in flight in the first process when it is stopped. */
async function beginAll(url: string, token: string, model: ModelServer) {
  const run = (id: string, body: object = ASKED) =>
    callOver<RunAnswer & Problem>(url, '/api/v1/prompts/execute', {
      token,
      body,
      headers: id ? { 'x-request-id': id } : {},
    })
  const leave = new AbortController()
  const left = fetch(`${url}/api/v1/prompts/execute`, {
    method: 'POST',
    signal: leave.signal,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-request-id': 'left',
    },
    body: JSON.stringify(ASKED),
  }).catch(() => undefined)
  const answers = [
    run('', { ...ASKED, stream: true }),
    run('stream', { ...ASKED, stream: true }),
    run('whole'),
    // A turn of the chat with a model is the same.
    callOver<RunAnswer & Problem>(url, '/api/v1/chatbot/message', {
      token,
      body: { tenant_id: 'shop', message: 'Hello?', stream: true },
    }),
  ]
  await model.waitFor(5)
  leave.abort()
  await left
  return Promise.all(answers)
}

describeOnPostgres('a process that is told to end', (database) => {
  // Takes the 4.5 s that a process lets its models finish in.
  test('stops runs without an end in order: nothing is held or charged, and all may come again', async () => {
    const model = await startModelServer((call) =>
      call.body.stream ? { text: ['One', ' two'], silentAfter: 1 } : 'silence',
    )
    const place = await database.create()
    const settings = { ...modelSettings(model), LIMIT_EXECUTE: '0' }
    const first = await startTestProcess(place, settings)
    const token = await openOwner(first.url)
    await callOver(first.url, '/api/v1/tenants', {
      token,
      body: { tenant_id: 'shop', name: 'Shop' },
    })
    await addPrompt({ call: (path, options = {}) => callOver(first.url, path, options) }, { token })
    const answering = beginAll(first.url, token, model)
    await model.waitFor(5)
    expect(await first.end('SIGTERM')).toBe(0)
    const answers = await answering
    for (const { text } of answers.filter(({ status }) => status === 200)) {
      expect(eventsOf(text).at(-1)).toMatchObject({
        error: { code: 'unavailable' },
        done: true,
        credits_used: 0,
      })
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 200])
    expect(answers[2]?.headers.get('retry-after')).toBe('5')

    const second = await startTestProcess(place, settings)
    try {
      const credits = await callOver(second.url, '/api/v1/credits', { token })
      expect(credits.body).toMatchObject({ held: 0, remaining: 20_000 })
      model.act = { text: ['Again'] }
      for (const id of ['left', 'whole']) {
        const again = await callOver<RunAnswer & Problem>(second.url, '/api/v1/prompts/execute', {
          token,
          body: ASKED,
          headers: { 'x-request-id': id },
        })
        expect(again.body.content).toBe('Again')
      }
    } finally {
      await second.end('SIGKILL')
      await model.close()
    }
  })
})
