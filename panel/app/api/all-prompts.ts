import type { Prompt } from '../../../server/prompts/schema.ts'
import type { Api, Page } from './api.ts'

const PAGE_SIZE = 100
/** The library is small, and a workspace has at most a thousand prompts of its own. */
const MAX_PAGES = 11

/** Returns the library and the workspace's own prompts, in the reader's language. */
export async function allPrompts(api: Api, locale: string, signal: AbortSignal): Promise<Prompt[]> {
  const all: Prompt[] = []
  let cursor: string | null = null
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const query = { cursor, limit: PAGE_SIZE, locale }
    const page: Page<Prompt> = await api.get<Page<Prompt>>('prompts', query, signal)
    all.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return all
}
