import pg from 'pg'

/** Executes an administrative statement, such as `create database`, on the tests' PostgreSQL. */
export async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Returns the `DATABASE_URL` of a database by its name. */
export function urlOfDatabase(name: string): string {
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return url.href
}

function serverUrl(): string {
  const url = process.env.TEST_POSTGRES_URL
  if (url === undefined) {
    throw new Error('These tests need PostgreSQL: run them by "npm run test:integration".')
  }
  return url
}
