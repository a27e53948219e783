import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { searchFor } from '../../helpers/knowledge.ts'
import { METRICS_TOKEN, type TestProduct, type TestWorkspace } from '../../helpers/product.ts'

const SECTIONS = 30

type Caller = Pick<TestProduct, 'call'>

/** A document of many passages. */
export function manual(word: string): { title: string; content: string } {
  const sections = Array.from(
    { length: SECTIONS },
    (_, at) => `## Model ${at}\n\nThe ${word} of model ${at} is opened with key number ${at}.`,
  )
  return { title: 'Manual', content: sections.join('\n\n') }
}

/** A document of words that occur once each, and hardly compress. */
export function serialNumbers(year: string): { title: string; content: string } {
  const numbers = Array.from({ length: 6_000 }, (_, at) =>
    createHash('sha256')
      .update(`${year} ${at}`)
      .digest('base64url')
      .replaceAll(/[^A-Za-z]/g, '')
      .slice(0, 30),
  )
  return { title: `Serial numbers of ${year}`, content: numbers.join('\n\n') }
}

/** Returns how often indexes were built, and how attempts to load and to store snapshots ended. */
export async function readCounts({ call }: Caller): Promise<Record<string, number>> {
  const { text } = await call('/metrics', { token: METRICS_TOKEN })
  const found = text.matchAll(
    /^sohbet_search_(?:index_(builds)_total|snapshots_total\{result="(\w+)"\}) (\d+)$/gm,
  )
  const counts = [...found].map(([, builds, result, value]) => [builds ?? result ?? '', value])
  return Object.fromEntries(counts.map(([name, value]) => [name, Number(value)]))
}

export async function searchedTexts(product: TestProduct, site: TestWorkspace): Promise<string[]> {
  const hits = await searchFor(product, site, 'Which key opens the hatch of model 7?')
  return hits.map(({ text }) => text)
}

export async function storedParts(
  { ctx }: TestProduct,
  { tenantId }: TestWorkspace,
): Promise<number> {
  const { rows } = await sql<{ parts: number }>`
    select count(*) as parts from index_snapshots where tenant_id = ${tenantId}`.execute(ctx.db)
  return Number(rows[0]?.parts)
}
