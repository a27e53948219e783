import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'

/** A request from the product to a provider. */
export interface ProviderCall {
  method: string
  path: string
  body: Record<string, unknown>
}

/** A text that reached a person. */
export interface Delivered {
  app: 'whatsapp' | 'telegram' | 'meta'
  to: string
  text: string
}

/** A refusal in a provider's own form. */
export interface Refusal {
  status: number
  headers?: Record<string, string>
  body: object
}

/** WhatsApp Cloud, the Telegram Bot API and the Graph API on one local address. */
export interface ChannelServers {
  url: string
  /** Every call, in order. */
  calls: ProviderCall[]
  /** Delivered messages, in order. */
  delivered: Delivered[]
  /** Taken one by one, in the place of an answer. */
  refusals: Refusal[]
  /** Posts that are to be seen, by their id. */
  posts: Map<string, Record<string, unknown>>
  /** How far Instagram is with a picture that it was just given. */
  draftState: string
  close(): Promise<void>
}

/** The tokens that the servers take; any other is refused as the providers do. */
export const ACCESS_TOKEN = 'EAAG-test-access-token'
export const BOT_TOKEN = '123456789:AAEhBP0av28abcdefghijklmnopqrstuvwx'

/** "Too much", as each provider says it. */
export const TOO_MUCH = {
  telegram: (seconds: number): Refusal => ({
    status: 429,
    body: {
      ok: false,
      error_code: 429,
      description: `Too Many Requests: retry after ${seconds}`,
      parameters: { retry_after: seconds },
    },
  }),
  graph: (code: number): Refusal => ({
    status: 400,
    body: { error: { message: 'Rate limit hit', type: 'OAuthException', code, fbtrace_id: 'A' } },
  }),
  plain: (seconds: number): Refusal => ({
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { error: { message: 'Slow down', code: 4 } },
  }),
}

const graphError = (status: number, code: number, message: string): Refusal => ({
  status,
  body: { error: { message, type: 'OAuthException', code, fbtrace_id: 'A' } },
})

/** Starts them on a free port of loopback. */
export async function startChannelServers(): Promise<ChannelServers> {
  let made = 0
  const nextId = () => {
    made += 1
    return String(17_900_000_000_000_000 + made)
  }
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = request.url ?? ''
      servers.calls.push({ method: request.method ?? '', path, body })
      const refusal = servers.refusals.shift()
      const answer = refusal ?? perform(request, path, body)
      send(response, answer)
    })
  })

  function perform(request: IncomingMessage, path: string, body: Record<string, unknown>): Refusal {
    const telegram = /^\/bot([^/]+)\/(\w+)$/.exec(path)
    if (telegram) return performTelegram(telegram[1] ?? '', telegram[2] ?? '', body)
    if (request.headers.authorization !== `Bearer ${ACCESS_TOKEN}`) {
      return graphError(401, 190, 'Invalid OAuth access token - Cannot parse access token')
    }
    return performGraph(request.method ?? '', path, body)
  }

  function performTelegram(token: string, method: string, body: Record<string, unknown>): Refusal {
    if (token !== BOT_TOKEN) {
      return { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } }
    }
    const { chat_id: chat, text } = body
    const isWrong = typeof chat !== 'number' || typeof text !== 'string' || text === ''
    if (method !== 'sendMessage' || isWrong || text.length > 4_096) {
      const description = 'Bad Request: message text is empty'
      return { status: 400, body: { ok: false, error_code: 400, description } }
    }
    servers.delivered.push({ app: 'telegram', to: String(chat), text })
    const result = { message_id: made + 1, chat: { id: chat, type: 'private' }, text }
    return { status: 200, body: { ok: true, result } }
  }

  function performGraph(method: string, path: string, body: Record<string, unknown>): Refusal {
    const [, account = '', edge = ''] = /^\/([^/?]+)(?:\/(\w+))?/.exec(path) ?? []
    if (method === 'GET') {
      const post = servers.posts.get(account)
      return post ? { status: 200, body: post } : graphError(404, 803, 'Unknown object')
    }
    if (edge === 'messages') return takeMessage(body)
    if (edge === 'feed' && typeof body.message === 'string') {
      return publish(`${account}_${nextId()}`, body, 'permalink_url')
    }
    if (edge === 'photos' && typeof body.url === 'string') {
      const published = publish(`${account}_${nextId()}`, body, 'permalink_url')
      return { status: 200, body: { id: nextId(), post_id: Object.values(published.body)[0] } }
    }
    if (edge === 'media' && typeof body.image_url === 'string') {
      const id = nextId()
      servers.posts.set(id, { id, status_code: servers.draftState })
      return { status: 200, body: { id } }
    }
    if (edge === 'media_publish' && typeof body.creation_id === 'string') {
      return publish(nextId(), body, 'permalink')
    }
    return graphError(400, 100, 'Invalid parameter')
  }

  function publish(id: string, body: Record<string, unknown>, link: string): Refusal {
    servers.posts.set(id, { ...body, id, [link]: `https://social.example/${id}` })
    return { status: 200, body: { id } }
  }

  function takeMessage(body: Record<string, unknown>): Refusal {
    const text = textIn(body)
    if (body.messaging_product === 'whatsapp' && body.type === 'text' && text !== undefined) {
      const to = String(body.to)
      servers.delivered.push({ app: 'whatsapp', to, text })
      const messages = [{ id: `wamid.${nextId()}` }]
      return {
        status: 200,
        body: { messaging_product: 'whatsapp', contacts: [{ input: to, wa_id: to }], messages },
      }
    }
    const { recipient } = body
    const isTo = typeof recipient === 'object' && recipient !== null && 'id' in recipient
    if (body.messaging_type === 'RESPONSE' && isTo && text !== undefined) {
      const to = String(recipient.id)
      servers.delivered.push({ app: 'meta', to, text })
      return { status: 200, body: { recipient_id: to, message_id: `m_${nextId()}` } }
    }
    return graphError(400, 100, 'Invalid parameter')
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const servers: ChannelServers = {
    url: `http://127.0.0.1:${port}`,
    calls: [],
    delivered: [],
    refusals: [],
    posts: new Map(),
    draftState: 'FINISHED',
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return servers
}

/** `text.body` of WhatsApp, `message.text` of the Graph API. */
function textIn(body: Record<string, unknown>): string | undefined {
  for (const place of [body.text, body.message]) {
    if (typeof place !== 'object' || place === null) continue
    const [text] = ['body', 'text'].flatMap((name) => {
      const value: unknown = Reflect.get(place, name)
      return typeof value === 'string' && value !== '' ? [value] : []
    })
    if (text !== undefined) return text
  }
  return undefined
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : JSON.parse(text)
}

function send(response: ServerResponse, { status, headers = {}, body }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
