import type { Context } from '../../context.ts'
import type { IndexedPassage } from '../search/search-index.ts'
import { listVectors, measureVectors } from './store.ts'
import { type QuantizedVector, VectorIndex } from './vector-index.ts'

/**
 * Loads the vectors of a model for the passages of a search index; undefined where there are none, or
 * where they would take more than `maxBytes`.
 */
export async function loadVectors(
  ctx: Context,
  tenant: { workspaceId: string; tenantId: string },
  model: string,
  { entries, maxBytes }: { entries: readonly IndexedPassage[]; maxBytes: number },
): Promise<VectorIndex | undefined> {
  const { count, dimension } = await measureVectors(ctx.db, tenant, model)
  if (count === 0) return undefined
  if (VectorIndex.bytesOf(dimension, count) > maxBytes) {
    ctx.log.warn(
      { event: 'knowledge.vectors_refused', tenant: tenant.tenantId },
      'vectors exceed the memory bound of a tenant',
    )
    return undefined
  }
  const places = new Map(
    entries.map(({ doc_id, ordinal }, place) => [`${doc_id} ${ordinal}`, place]),
  )
  const found: (QuantizedVector & { place: number })[] = []
  for await (const page of listVectors(ctx.db, tenant, model)) {
    for (const { document_id, ordinal, scale, codes } of page) {
      const place = places.get(`${document_id} ${ordinal}`)
      // The passage is newer than the index.
      if (place === undefined) continue
      found.push({ place, scale, codes: new Int8Array(Buffer.from(codes, 'base64')) })
    }
  }
  return new VectorIndex(dimension, found)
}
