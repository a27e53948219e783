import pg from 'pg'

/** A statement that its connection has prepared. */
export interface Prepared {
  name: string
  text: string
  values: readonly unknown[]
}

type Answer = pg.QueryResult | readonly pg.QueryResult[]

/**
 * Runs prepared statements one after the other as one message, and resolves with what the last one
 * answers. After one that fails the server skips the others, and its error is the answer. Sent one by
 * one, each would wake the server, and its answer this process, which costs more than a small
 * statement itself.
 */
export function runTogether(
  client: pg.ClientBase,
  before: readonly Prepared[],
  { name, text, values }: Prepared,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(
      { name, text, values: [...values] },
      (error: Error | undefined, answer: Answer) => {
        if (error) reject(error)
        else resolve(lastOf(answer))
      },
    )
    const submitLast = query.submit.bind(query)
    query.submit = (connection) => {
      for (const statement of before) {
        connection.bind({ statement: statement.name, values: statement.values.map(onWire) }, true)
        connection.execute(null, true)
      }
      return submitLast(connection)
    }
    client.query(query)
  })
}

function lastOf(answer: Answer): pg.QueryResult {
  const last = 'command' in answer ? answer : answer.at(-1)
  if (!last) throw new Error('Postgres gave no answer.')
  return last
}

/** A value in the text form of Postgres. */
function onWire(value: unknown): string | Buffer | null {
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
  throw new TypeError(`Postgres is given text, numbers and booleans, and not ${typeof value}.`)
}
