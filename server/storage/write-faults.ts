/**
 * Writes are refused for now: full, read-only or out of memory. By the code of the system, of SQLite
 * (with its extended codes), or of Postgres.
 */
const WRITE_FAULT =
  /^(?:ENOSPC|EDQUOT|EROFS|EIO|SQLITE_(?:FULL|IOERR|READONLY)(?:_\w+)?|53[12]00|58[0-9A-Z]{3}|25006)$/

/** Whether a write has failed for want of a writable disk since the last one that was seen to work. */
export class WriteFaults {
  #code: string | undefined

  /** The code of the last failed write; undefined once a write has worked. */
  get code(): string | undefined {
    return this.#code
  }

  /** Remembers the error of a statement if the storage refused to write. */
  note(error: unknown): void {
    for (let one = error; one instanceof Error; one = one.cause) {
      const code: unknown = 'code' in one ? one.code : undefined
      if (typeof code === 'string' && WRITE_FAULT.test(code)) this.#code = code
    }
  }

  clear(): void {
    this.#code = undefined
  }
}
