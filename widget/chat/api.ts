import type { SendMessage, Turn } from '../../server/chat/schema.ts'
import { readEvents } from './event-stream.ts'
import type { WidgetStorage } from '../host/storage.ts'
import type { Challenge, Proof } from './proof.ts'

/** A visitor token lasts a day; it is renewed after half of it, so that the visitor stays the same. */
const RENEW_AFTER_MS = 43_200_000
/** A response begins at once, or with the first heartbeat after 15 s. */
const RESPONSE_TIMEOUT_MS = 30_000

/** The body of an error response (RFC 9457). */
interface Problem {
  code?: string
  session_id?: string
  proof?: Challenge
  errors?: { path: string; message: string }[]
}

/**
 * A request without its answer. `status` 0: no connection (`offline`), a broken connection (`cut`), or
 * a response timeout (`silent`).
 */
export class Refusal extends Error {
  status: number
  code: string
  problem: Problem
  /** Whole seconds to wait before the next try, where the server names them. */
  retryAfter: number | undefined

  constructor(status: number, code: string, problem: Problem = {}, retryAfter?: number) {
    super(code)
    this.status = status
    this.code = code
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** The last event of an answer, the one with `done`, is a whole `Turn` unless it has `error`. */
interface StreamEvent extends Turn {
  delta?: string
  done?: boolean
  error?: { code: string }
}

export type Api = ReturnType<typeof createApi>

/** The only place that talks to the network. Everything throws a `Refusal` when it fails. */
export function createApi(base: string, tenant: string, storage: WidgetStorage) {
  let leaving = new AbortController()
  /** The token that is being fetched: all calls of a new visitor must be one visitor's. */
  let coming: Promise<string> | undefined

  async function call(path: string, init: RequestInit, bearer?: string): Promise<Response> {
    const headers = new Headers(init.headers)
    // The browser sets the content type of a form.
    if (typeof init.body === 'string') headers.set('Content-Type', 'application/json')
    // Proxies send a tenant's calls to one process, which has its index.
    headers.set('X-Sohbet-Tenant', tenant)
    if (bearer) headers.set('Authorization', `Bearer ${bearer}`)
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(), RESPONSE_TIMEOUT_MS)
    const response = await fetch(`${base}/api/v1/${path}`, {
      ...init,
      headers,
      signal: AbortSignal.any([leaving.signal, silence.signal, init.signal ?? leaving.signal]),
      credentials: 'omit',
    })
      .catch(() => {
        throw new Refusal(0, silence.signal.aborted ? 'silent' : 'offline')
      })
      .finally(() => clearTimeout(timer))
    if (response.ok) return response
    const problem: Problem = await response.json().catch(() => ({}))
    const wait = Number(response.headers.get('Retry-After'))
    throw new Refusal(response.status, problem.code ?? 'internal', problem, wait || undefined)
  }

  async function newToken(old?: string, proof?: Proof): Promise<string> {
    const body = JSON.stringify({ tenant_id: tenant, visitor_token: old, proof })
    const response = await call('auth/visitor', { method: 'POST', body }).catch(
      (refusal: Refusal) => {
        if (proof || !refusal.problem.proof) throw refusal
        return refusal.problem.proof
      },
    )
    if ('bits' in response) {
      const { signal } = leaving
      const { solve } = await import('./proof.ts')
      const solved = await solve(response)
      // The visitor has left already.
      signal.throwIfAborted()
      return newToken(old, solved)
    }
    const answer: { access_token: string } = await response.json()
    storage.set('token', `${Date.now()} ${answer.access_token}`)
    return answer.access_token
  }

  async function getToken(): Promise<string> {
    const [at, token] = storage.get('token')?.split(' ') ?? []
    if (token && Date.now() - Number(at) < RENEW_AFTER_MS) return token
    const own = (coming ??= newToken(token).finally(() => {
      if (coming === own) coming = undefined
    }))
    return own
  }

  /** As a visitor. A refused token is replaced once. */
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await call(path, init, await getToken())
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error
      return call(path, init, await newToken())
    }
  }

  /** The same `id` on every try of one thing makes the server do it once. */
  const post = (path: string, body: object, id?: string): Promise<Response> =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: id ? { 'X-Request-Id': id } : {},
    })

  return {
    ask,
    post,

    /** Ends everything under way: the page is being left. */
    abort(): void {
      leaving.abort()
      leaving = new AbortController()
      coming = undefined
    },

    /** Sends a message and reads its answer. `show` gets all that has come of it, once a frame. */
    async send(id: string, message: SendMessage, show: (text: string) => void): Promise<Turn> {
      const response = await post('chatbot/message', message, id)
      let last: StreamEvent | undefined
      let text = ''
      let frame = 0
      if (response.body)
        await readEvents(response.body, ({ data }) => {
          const event: StreamEvent = JSON.parse(data)
          text += event.delta ?? ''
          frame ||= requestAnimationFrame(() => {
            frame = 0
            show(text)
          })
          if (event.done) last = event
          return event.done
        }).catch(() => {})
      cancelAnimationFrame(frame)
      if (!last) {
        show(text)
        throw new Refusal(0, 'cut')
      }
      if (last.error) throw new Refusal(200, last.error.code)
      return last
    },
  }
}
