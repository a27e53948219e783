import type { Db } from '../../storage/database.ts'

/** The document that a file belongs to. */
interface FileRef {
  document_id: string
  workspace_id: string
}

export async function insertFile(
  db: Db,
  file: { documentId: string; workspaceId: string; bytes: Buffer },
): Promise<void> {
  await db
    .insertInto('knowledge_files')
    .values({
      document_id: file.documentId,
      workspace_id: file.workspaceId,
      content: file.bytes,
    })
    .execute()
}

/** Counts the files of a workspace that are not parsed yet. */
export async function countFiles(db: Db, workspaceId: string): Promise<number> {
  const { files } = await db
    .selectFrom('knowledge_files')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return files
}

/** Returns the bytes of an upload that is not parsed yet. */
export async function findFile(db: Db, file: FileRef): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('knowledge_files')
    .select('content')
    .where('workspace_id', '=', file.workspace_id)
    .where('document_id', '=', file.document_id)
    .executeTakeFirst()
  return typeof row?.content === 'string' ? Buffer.from(row.content, 'base64') : row?.content
}

export async function deleteFile(db: Db, file: FileRef): Promise<void> {
  await db
    .deleteFrom('knowledge_files')
    .where('workspace_id', '=', file.workspace_id)
    .where('document_id', '=', file.document_id)
    .execute()
}
