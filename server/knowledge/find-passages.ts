import type { Context } from '../context.ts'
import type { KnowledgeRef } from './documents/documents.ts'
import type { FoundPassage, SearchQuery } from './schema.ts'

/** Returns the passages of a site that an answer would use, the best first. */
export async function findPassages(
  ctx: Context,
  tenant: KnowledgeRef,
  { q, limit }: SearchQuery,
): Promise<FoundPassage[]> {
  const hits = await ctx.indexes.find(ctx, tenant, { question: q }, limit)
  return hits.map(({ passage, score }) => ({
    doc_id: passage.doc_id,
    title: passage.title,
    url: passage.url,
    heading: passage.heading,
    anchor: passage.anchor,
    text: passage.text,
    score,
  }))
}
