import pg from 'pg'

/** A statement to send. */
export interface Statement {
  /** The name to prepare it by; empty for a statement that is not prepared. */
  name: string
  text: string
  values: readonly unknown[]
}

type Results = pg.QueryResult | readonly pg.QueryResult[]

/**
 * Runs statements, which the client has prepared, in order as one message, and resolves with the
 * result of the last one. After an error the server skips the rest, and the promise rejects with it.
 * A message per statement would wake the server and then this process for each, which costs more than
 * a small statement.
 */
export function sendPipeline(
  client: pg.ClientBase,
  before: readonly Statement[],
  { name, text, values }: Statement,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(
      { name, text, values: [...values] },
      (error: Error | undefined, results: Results) => {
        if (error) reject(error)
        else resolve(lastOf(results))
      },
    )
    const submitLast = query.submit.bind(query)
    query.submit = (connection) => {
      for (const statement of before) {
        connection.bind(
          { statement: statement.name, values: statement.values.map(toTextFormat) },
          true,
        )
        connection.execute(null, true)
      }
      return submitLast(connection)
    }
    client.query(query)
  })
}

function lastOf(results: Results): pg.QueryResult {
  const last = 'command' in results ? results : results.at(-1)
  if (!last) throw new Error('Postgres sent no result.')
  return last
}

/** Returns a value in the text format of the Postgres protocol. */
function toTextFormat(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (value instanceof Buffer) return value
  if (!Array.isArray(value)) return asText(value)
  const items = value.map((item: unknown) =>
    item === null ? 'NULL' : `"${asText(item).replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  )
  return `{${items.join(',')}}`
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TypeError(`A parameter is text, a number or a boolean, not ${typeof value}.`)
}
