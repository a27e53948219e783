import { z } from 'zod'

/** `online` takes conversations now, `away` does not right now, `off` is not at work. */
export const PresenceState = z.enum(['online', 'away', 'off'])
export type PresenceState = z.infer<typeof PresenceState>

export const SetPresence = z.strictObject({ state: PresenceState })

/** The presence of a member; `since` is null for a member who never was online. */
export const MemberPresence = z.object({
  user_id: z.string(),
  name: z.string(),
  picture_url: z.string().nullable().describe('A path on this server'),
  state: PresenceState,
  since: z.string().nullable(),
})
export type MemberPresence = z.infer<typeof MemberPresence>

export const PresenceList = z.object({
  data: z.array(MemberPresence),
  next_cursor: z.null(),
})
