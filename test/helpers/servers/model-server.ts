import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Frames,
  type ModelScript,
  anthropicAnswer,
  anthropicFrames,
  openAiAnswer,
  openAiFrames,
  openAiImages,
} from './model-wire.ts'

const FLUSH_MS = 20

/** A request to the model as it arrived. */
export interface ModelCall {
  /** Such as `/v1/chat/completions`. */
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: Record<string, unknown>
  /** The caller's end of the connection. */
  from: string
  /** `performance.now()` when it was there, and when the caller left before the end, if it did. */
  at: number
  leftAt: number | undefined
  /** Resolves when the caller has left before the end. */
  left: Promise<void>
  /** How many bytes of the answer the connection has taken so far. */
  sentBytes: number
  isAnswered: boolean
}

/** An answer of another status, with the provider's own error in it. */
export interface Refusal {
  status: number
  headers?: Record<string, string>
  /** Sent as it is, in place of the provider's error. */
  body?: string
}

/** The model's action on a request; `silence` answers nothing at all, `drop` hangs up. */
export type ModelAct = ModelScript | Refusal | 'silence' | 'drop'

/** A local server that speaks the protocols of OpenAI and of Anthropic to the letter. */
export interface ModelServer {
  /** The value of `MODEL_BASE_URL`: it ends with `/v1`. */
  url: string
  calls: ModelCall[]
  /** The action on the next requests; replace it at any time. */
  act: ModelAct | ((call: ModelCall, count: number) => ModelAct | Promise<ModelAct>)
  /** Resolves with the first `count` calls once they are there. */
  waitFor(count: number): Promise<ModelCall[]>
  close(): Promise<void>
}

/** Starts a scripted model on loopback. */
export async function startModelServer(
  act: ModelServer['act'] = { text: ['Hello'] },
): Promise<ModelServer> {
  const waiting: { count: number; done: () => void }[] = []
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request, response)
    model.calls.push(call)
    for (const { count, done } of waiting) if (model.calls.length >= count) done()
    const chosen = model.act
    const done = typeof chosen === 'function' ? await chosen(call, model.calls.length) : chosen
    await perform(call, response, done)
  }

  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const model: ModelServer = {
    url: `http://127.0.0.1:${port}/v1`,
    calls: [],
    act,
    waitFor: async (count) => {
      if (model.calls.length < count) {
        await new Promise<void>((done) => waiting.push({ count, done }))
      }
      return model.calls.slice(0, count)
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return model
}

async function readCall(request: IncomingMessage, response: ServerResponse): Promise<ModelCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString('utf8')
  const body: Record<string, unknown> = text ? JSON.parse(text) : {}
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  const left = Promise.withResolvers<void>()
  const call: ModelCall = {
    path: request.url ?? '',
    headers: Object.fromEntries(headers),
    body,
    from: `${request.socket.remoteAddress}:${request.socket.remotePort}`,
    at: performance.now(),
    leftAt: undefined,
    left: left.promise,
    sentBytes: 0,
    isAnswered: false,
  }
  response.on('close', () => {
    if (response.writableFinished) return
    call.leftAt = performance.now()
    left.resolve()
  })
  return call
}

async function perform(call: ModelCall, response: ServerResponse, act: ModelAct): Promise<void> {
  if (act === 'silence') return
  if (act === 'drop') {
    response.destroy()
    return
  }
  if ('status' in act) {
    refuse(call, response, act)
    return
  }
  const { body, path } = call
  if (act.headAfterMs) await wait(act.headAfterMs)
  if (path === '/v1/images/generations') return reply(call, response, act, openAiImages(act, body))
  if (path === '/v1/chat/completions') {
    if (body.stream === true) return play(call, response, act, openAiFrames(act, body))
    return reply(call, response, act, openAiAnswer(act, body))
  }
  if (path === '/v1/messages') {
    if (body.stream === true) return play(call, response, act, anthropicFrames(act, body))
    return reply(call, response, act, anthropicAnswer(act, body))
  }
  refuse(call, response, { status: 404 })
}

/** The providers put what was asked, and parts of the key, into the message. */
function refuse(call: ModelCall, response: ServerResponse, refusal: Refusal): void {
  const key = call.headers['x-api-key'] ?? call.headers.authorization
  const error = { type: 'scripted_error', code: 'scripted', message: `Refused ${key}` }
  const isAnthropic = call.path === '/v1/messages'
  const body = isAnthropic ? { type: 'error', error } : { error }
  response.writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers })
  response.end(refusal.body ?? JSON.stringify(body))
  call.isAnswered = true
}

async function reply(
  call: ModelCall,
  response: ServerResponse,
  script: ModelScript,
  body: object,
): Promise<void> {
  const text = JSON.stringify(body)
  const bytes = Buffer.from(
    script.brokenAfter === undefined ? text : text.slice(0, text.length / 2),
  )
  const isCut = script.cutAfter !== undefined
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
  if (script.silentAfter !== undefined) {
    response.flushHeaders()
    return
  }
  await write(call, response, isCut ? bytes.subarray(0, bytes.length / 2) : bytes, script)
  if (isCut) response.destroy()
  else response.end()
  call.isAnswered = !isCut
}

async function play(
  call: ModelCall,
  response: ServerResponse,
  script: ModelScript,
  frames: Frames,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.flushHeaders()
  const send = (text: string) => write(call, response, Buffer.from(text), script)
  await send(frames.before.join(''))
  for (const [place, piece] of [...frames.pieces, ''].entries()) {
    if (response.destroyed) return
    if (script.silentAfter === place) return
    if (script.cutAfter === place) {
      // Bytes that were already sent must not be lost with the connection.
      await wait(FLUSH_MS)
      response.destroy()
      return
    }
    if (script.endAfter === place) {
      response.end()
      return
    }
    if (script.brokenAfter === place) await send('data: {"choices": [{"del\n\n')
    if (script.errorAfter === place) {
      await send(frames.error)
      response.end()
      return
    }
    if (script.everyMs && piece) await wait(script.everyMs)
    if (piece) await send(piece)
  }
  await send(frames.after.join(''))
  if (!script.withoutMarker) await send(frames.marker)
  response.end()
  call.isAnswered = true
}

/** Writes no faster than the other side reads. */
async function write(
  call: ModelCall,
  response: ServerResponse,
  bytes: Buffer,
  { sliceBytes = bytes.length }: ModelScript,
): Promise<void> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (response.destroyed) return
    const slice = bytes.subarray(at, at + sliceBytes)
    const hasRoom = response.write(slice)
    // Each slice leaves in a packet of its own.
    if (sliceBytes < bytes.length) await new Promise((done) => setImmediate(done))
    if (!hasRoom && !response.destroyed) {
      await Promise.race([once(response, 'drain'), call.left])
    }
    call.sentBytes += slice.length
  }
}
