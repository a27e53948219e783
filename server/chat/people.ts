import type { Person } from '../live/schema.ts'
import { findUser } from '../platform/auth/store.ts'
import type { Db } from '../storage/database.ts'

/** A member of the workspace by id, as others see them; null for nobody, or one who is gone. */
export async function findMemberName(
  db: Db,
  workspaceId: string,
  userId: string | null,
): Promise<Person | null> {
  if (userId === null) return null
  const user = await findUser(db, workspaceId, userId)
  return user ? { user_id: user.id, name: user.name } : null
}
