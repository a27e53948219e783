import ky, { HTTPError, type KyInstance } from 'ky'

const API = '/api/v1/'
/** Requests wait for a rate limit or a busy server up to this long, then fail. */
const MAX_RETRY_AFTER_MS = 65_000
const REQUEST_TIMEOUT_MS = 30_000

/** One wrong field of a request: `path` is a JSON Pointer into the body. */
export interface FieldError {
  path: string
  message: string
}

/** The body of a refused request (RFC 9457). */
interface ProblemDocument {
  status: number
  code: string
  detail: string
  errors?: FieldError[]
  used?: number
  allowed?: number
}

/** A refused or failed request. `code` is the contract's word, or `offline` without an answer. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: readonly FieldError[]
  readonly requestId: string | undefined

  constructor(problem: Partial<ProblemDocument>, requestId?: string) {
    super(problem.detail ?? '')
    this.name = 'ApiError'
    this.status = problem.status ?? 0
    this.code = problem.code ?? 'offline'
    this.fields = problem.errors ?? []
    this.requestId = requestId
  }
}

/** A page of a list. */
export interface Page<Row> {
  data: Row[]
  next_cursor: string | null
}

export type Query = Record<string, string | number | boolean | null | undefined>

interface Call {
  query?: Query | undefined
  body?: unknown
  form?: FormData | undefined
  signal?: AbortSignal | undefined
  /** Makes the request idempotent, and traces it. */
  requestId?: string | undefined
}

/**
 * The product's API, called with the session cookie. Every method throws `ApiError`. Requests that
 * meet 429 or 503 wait `Retry-After` and are repeated; a 401 renews the session once.
 */
export interface Api {
  get<Answer>(path: string, query?: Query, signal?: AbortSignal): Promise<Answer>
  post<Answer = void>(path: string, body?: unknown, call?: Call): Promise<Answer>
  put<Answer = void>(path: string, body?: unknown, call?: Call): Promise<Answer>
  patch<Answer = void>(path: string, body?: unknown, call?: Call): Promise<Answer>
  delete<Answer = void>(path: string, body?: unknown): Promise<Answer>
  /** Sends files; `method` is POST unless given. */
  upload<Answer = void>(path: string, form: FormData, method?: 'POST' | 'PUT'): Promise<Answer>
  /** Returns the raw response, for streams and downloads. */
  open(method: string, path: string, call?: Call): Promise<Response>
}

/** @param renew renews the session; returns whether the caller is still signed in. */
export function createApi(renew: () => Promise<boolean>): Api {
  const client: KyInstance = ky.create({
    prefixUrl: API,
    credentials: 'same-origin',
    timeout: REQUEST_TIMEOUT_MS,
    retry: {
      limit: 3,
      methods: ['get', 'put', 'post', 'patch', 'delete'],
      statusCodes: [429, 503],
      afterStatusCodes: [429, 503],
      maxRetryAfter: MAX_RETRY_AFTER_MS,
    },
  })

  async function open(method: string, path: string, call: Call = {}): Promise<Response> {
    try {
      return await send(method, path, call)
    } catch (error) {
      const isSignedOut = error instanceof HTTPError && error.response.status === 401
      if (!isSignedOut || path.startsWith('auth/') || !(await renew())) throw await problemOf(error)
      return send(method, path, call).catch(async (again: unknown) => {
        throw await problemOf(again)
      })
    }
  }

  function send(method: string, path: string, call: Call): Promise<Response> {
    const { query = {}, body, form, signal, requestId } = call
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
    return client(path, {
      method,
      // A deletion may be sent while the page is left.
      keepalive: method === 'DELETE',
      searchParams: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      ...(body === undefined ? {} : { json: body }),
      ...(form === undefined ? {} : { body: form, timeout: false }),
      ...(signal === undefined ? {} : { signal }),
      ...(requestId === undefined ? {} : { headers: { 'x-request-id': requestId } }),
    })
  }

  async function read<Answer>(method: string, path: string, call?: Call): Promise<Answer> {
    const response = await open(method, path, call)
    const text = await response.text()
    return JSON.parse(text === '' ? 'null' : text)
  }

  return {
    get: (path, query, signal) => read('GET', path, { query, signal }),
    post: (path, body, call) => read('POST', path, { ...call, body }),
    put: (path, body, call) => read('PUT', path, { ...call, body }),
    patch: (path, body, call) => read('PATCH', path, { ...call, body }),
    delete: (path, body) => read('DELETE', path, { body }),
    upload: (path, form, method = 'POST') => read(method, path, { form }),
    open,
  }
}

async function problemOf(error: unknown): Promise<unknown> {
  if (error instanceof HTTPError) {
    const { response } = error
    const requestId = response.headers.get('x-request-id') ?? undefined
    return new ApiError(await readProblem(response), requestId)
  }
  if (error instanceof DOMException && error.name === 'AbortError') return error
  return new ApiError({})
}

async function readProblem(response: Response): Promise<Partial<ProblemDocument>> {
  try {
    return await response.json()
  } catch {
    // A proxy in between answers with a page of its own.
    return { status: response.status, code: 'internal' }
  }
}
