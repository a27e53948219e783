import { z } from 'zod'
import type { Attachment } from '../schema.ts'

/** A file as its message stores it; the bytes are in the table `attachments`. */
const StoredAttachment = z.object({
  id: z.string(),
  name: z.string(),
  media_type: z.string(),
  bytes: z.int(),
})
export type StoredAttachment = z.infer<typeof StoredAttachment>

const StoredAttachments = z.array(StoredAttachment)

/** Returns the files of a message row; most rows have none. */
export function parseAttachments(stored: string | null): Attachment[] {
  if (stored === null) return []
  return StoredAttachments.parse(JSON.parse(stored)).map(({ id, ...file }) => ({
    attachment_id: id,
    ...file,
    url: `/api/v1/attachments/${id}`,
  }))
}
