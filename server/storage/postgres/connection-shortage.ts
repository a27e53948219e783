import pg from 'pg'

/** The time for which a server that refused a connection is asked for none. */
const RETRY_INTERVAL_MS = 1_000
/** Also of a limit of the database, and of the role. */
const TOO_MANY_CONNECTIONS = '53300'

/**
 * Takes connections of a pool whose server may refuse further ones: then the pool makes do with those that
 * it has, for which callers wait as they do for those of a full pool, until the server takes another.
 */
export class ConnectionShortage {
  readonly #pool: pg.Pool
  /** The size of the pool without a shortage. */
  readonly #max: number
  /** The connections that exist; the pool also counts those that are not made yet. */
  #open = 0
  #retry: NodeJS.Timeout | undefined

  constructor(pool: pg.Pool, max: number) {
    this.#pool = pool
    this.#max = max
    pool.on('connect', () => (this.#open += 1))
    pool.on('remove', () => (this.#open -= 1))
  }

  /** Whether the server has refused a connection and the process has lacked one since. */
  get isShort(): boolean {
    return this.#retry !== undefined
  }

  /** Rejects with the refusal of the server only where the pool has no connection to wait for. */
  async connect(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await this.#pool.connect()
      } catch (error) {
        if (!this.#makesDoAfter(error)) throw error
      }
    }
  }

  close(): void {
    clearTimeout(this.#retry)
  }

  /** Returns false after another error, and where there is no connection to make do with. */
  #makesDoAfter(error: unknown): boolean {
    const existing = Math.min(this.#open, this.#pool.totalCount)
    if (!isRefusal(error) || existing === 0) return false
    this.#pool.options.max = existing
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#tryAgain(), RETRY_INTERVAL_MS).unref()
    return true
  }

  /** Connects for nobody, so that no caller waits for another refusal. */
  async #tryAgain(): Promise<void> {
    this.#pool.options.max = this.#max
    try {
      const client = await this.#pool.connect()
      this.#end()
      // Serves those that wait.
      client.release()
    } catch (error) {
      if (!this.#makesDoAfter(error)) this.#end()
    }
  }

  #end(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#pool.options.max = this.#max
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS
}
