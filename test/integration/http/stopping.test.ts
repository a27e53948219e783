import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { expect, test } from 'vitest'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { VisitorAnswer } from '../../helpers/answers.ts'
import { describeOnBothDatabases, describeOnDatabase } from '../../helpers/databases.ts'
import { type TestProcess, startTestProcess } from '../../helpers/process.ts'
import { OPERATOR_TOKEN, callOver } from '../../helpers/product.ts'

interface Site {
  visitor: string
  tenantId: string
}

async function openSite({ url }: TestProcess): Promise<Site> {
  const owner = { email: 'owner@example.com', name: 'Owner', password: 'a long password' }
  await callOver(url, '/api/v1/operator/workspaces', {
    token: OPERATOR_TOKEN,
    body: { name: 'Shop', plan: 'klinik_pro', locale: 'tr', owner },
  })
  const { email, password } = owner
  const signedIn = await callOver<TokenAnswer>(url, '/api/v1/auth/token', {
    body: { email, password },
  })
  const tenantId = 'shop'
  await callOver(url, '/api/v1/tenants', {
    token: signedIn.body.access_token,
    body: { tenant_id: tenantId, name: 'Shop' },
  })
  const visitor = await callOver<VisitorAnswer>(url, '/api/v1/auth/visitor', {
    body: { tenant_id: tenantId },
  })
  return { visitor: visitor.body.access_token, tenantId }
}

async function openSocket({ url }: TestProcess): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

describeOnDatabase('behind a proxy, on SIGTERM', (database) => {
  test('the process is not ready at once, and answers until the proxy has noticed', async () => {
    const settings = {
      TRUSTED_PROXIES: '127.0.0.1',
      SHUTDOWN_DELAY_MS: '4000',
      ACCESS_LOG: 'true',
      LOG_LEVEL: 'info',
    }
    const running = await startTestProcess(await database.create(), settings)
    const begun = await openSocket(running)
    begun.write(
      'POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n',
    )
    // What arrives later on another connection is answered later.
    expect((await callOver(running.url, '/health/live', {})).status).toBe(200)
    const ended = running.end('SIGTERM')
    const ready = async () => (await callOver(running.url, '/health/ready', {})).status
    await expect.poll(ready).toBe(503)
    // Each call has a connection of its own, as from a proxy that has not noticed yet.
    const late = await callOver(running.url, '/api/v1/auth/me', {
      headers: { connection: 'close' },
    })
    expect(late.status).toBe(401)
    // A client with a persistent connection is notified that it ends.
    const kept = await openSocket(running)
    kept.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
    const [head] = await once(kept.setEncoding('utf8'), 'data')
    expect(head).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i)
    kept.destroy()
    // So is the client of a request that began before.
    begun.write('{}')
    const [answer] = await once(begun.setEncoding('utf8'), 'data')
    expect(answer).toMatch(/^HTTP\/1\.1 422 [^]*\r\nconnection: close\r\n/i)
    begun.destroy()
    expect(await ended).toBe(0)
    const logged = running
      .printed()
      .split('\n')
      .filter((line) => line.includes('"event":"http.answered"'))
      .map((line): unknown => JSON.parse(line))
    expect(logged).toMatchObject([
      { method: 'GET', route: '/api/v1/auth/me', status: 401, reqId: expect.any(String) },
      { method: 'POST', route: '/api/v1/auth/token', status: 422, ms: expect.any(Number) },
    ])
  })

  test('no request is lost that a proxy sends as the process stops to listen', async () => {
    const settings = { TRUSTED_PROXIES: '127.0.0.1', SHUTDOWN_DELAY_MS: '200' }
    const running = await startTestProcess(await database.create(), settings)
    const lost: string[] = []
    const callers = Array.from({ length: 12 }, async () => {
      for (;;) {
        const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
        const refused = await once(socket, 'connect').then(
          () => false,
          () => true,
        )
        if (refused) return
        let answer = ''
        const closed = once(socket, 'close').catch(String)
        socket.setEncoding('utf8').on('data', (text) => (answer += text))
        socket.on('error', ({ message }) => (answer = message))
        socket.write('GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
        await closed
        if (!answer.startsWith('HTTP/1.1 401')) lost.push(answer)
      }
    })
    expect(await running.end('SIGTERM')).toBe(0)
    await Promise.all(callers)
    expect(lost).toEqual([])
  })
})

describeOnBothDatabases('on SIGTERM', (database) => {
  /** Exit 0 means in time as well: a stop that takes more than 9 s is cut short with exit 1. */
  const stop = (running: TestProcess) => running.end('SIGTERM')

  test('a reader who took only the start of a stream, and idle connections, delay nothing', async () => {
    const running = await startTestProcess(await database.create())
    const { visitor, tenantId } = await openSite(running)
    const idle = await openSocket(running)
    const stalled = await openSocket(running)
    const body = JSON.stringify({ tenant_id: tenantId, message: 'Hello?', stream: true })
    stalled.write(
      `POST /api/v1/chatbot/message HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${visitor}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await once(stalled, 'data')
    stalled.pause()
    expect(await stop(running)).toBe(0)
    idle.destroy()
    stalled.destroy()
  })

  test('what is being answered is answered to its end', async () => {
    const running = await startTestProcess(await database.create())
    const { visitor, tenantId } = await openSite(running)
    const asked = Array.from({ length: 20 }, () =>
      callOver(running.url, '/api/v1/chatbot/message', {
        token: visitor,
        body: { tenant_id: tenantId, message: 'Hello?', stream: true },
      }).catch(() => undefined),
    )
    await Promise.race(asked)
    expect(await stop(running)).toBe(0)
    const answers = await Promise.all(asked)
    const begun = answers.filter((answer) => answer?.status === 200)
    expect(begun.length).toBeGreaterThan(0)
    expect(begun.filter((answer) => !answer?.text.includes('"done":true'))).toEqual([])
  })

  test('who sends half a request and no more is not waited for', async () => {
    const running = await startTestProcess(await database.create())
    const half = await openSocket(running)
    half.write(
      'POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"email":',
    )
    expect((await callOver(running.url, '/health/live', {})).status).toBe(200)
    expect(await stop(running)).toBe(0)
    half.destroy()
  })
})
