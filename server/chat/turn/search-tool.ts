import { z } from 'zod'
import type { ChatTool } from '../handoff/chat-tool.ts'
import { synonymsOf } from '../../tenants/tenants.ts'
import { numberPassages } from './system-prompt.ts'

const MAX_FOUND = 5
const MAX_QUERY_LENGTH = 500
const Input = z.object({ query: z.string().trim().min(1).max(MAX_QUERY_LENGTH) })

/** Searches the site's documents with the model's words; what it finds can be cited. */
export const searchTool: ChatTool = {
  name: 'search',
  description:
    "Searches the site's documents for other words than the visitor's, such as synonyms, another language, or one part of a question. Call it when the passages do not hold the answer.",
  schema: z.toJSONSchema(Input),
  isReadOnly: true,
  isOffered: () => true,

  async run(ctx, { tenant, hits }, input) {
    const { query } = Input.parse(input)
    const place = {
      workspaceId: tenant.workspace_id,
      tenantId: tenant.id,
      version: tenant.knowledge_version,
    }
    const found = await ctx.indexes.find(
      ctx,
      place,
      { question: query, synonyms: synonymsOf(tenant) },
      MAX_FOUND,
    )
    const known = new Set(hits.map(({ passage }) => passage))
    const added = found.filter(({ passage }) => !known.has(passage))
    const first = hits.length
    hits.push(...added)
    if (added.length === 0) return { result: 'Nothing else was found.' }
    const passages = added.map(({ passage }) => passage)
    return { result: JSON.stringify({ passages: numberPassages(passages, first) }) }
  },
}
