import type { Db } from '../../storage/database.ts'
import { LIST_COLUMNS, type ShownDocument } from './store.ts'

/** Returns the documents of all sites that can be read, by id; pages of a sitemap are among them. */
export async function listReadyDocuments(
  db: Db,
  workspaceId: string,
  page: { limit: number; after: string },
): Promise<ShownDocument[]> {
  return db
    .selectFrom('documents')
    .select(LIST_COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'ready')
    .where('kind', '<>', 'sitemap')
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute()
}
