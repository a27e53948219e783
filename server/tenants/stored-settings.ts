import { z } from 'zod'
import { Abuse, Assistant, Channels, Forms, OfficeHours, Privacy, Tenant } from './schema.ts'

/** Distinct texts that are remembered for each column. */
const MAX_TEXTS = 500

/**
 * Returns the parser of a JSON column of tenants. It remembers values by their text, because every
 * message of a visitor needs several columns, which seldom change. Values are deeply frozen.
 */
function storedSettings<Schema extends z.ZodType>(
  schema: Schema,
): (text: string) => z.infer<Schema> {
  const values = new Map<string, z.infer<Schema>>()
  return (text) => {
    const known = values.get(text)
    if (known !== undefined) return known
    const value = schema.parse(JSON.parse(text))
    if (values.size >= MAX_TEXTS) values.clear()
    freezeDeeply(value)
    values.set(text, value)
    return value
  }
}

function freezeDeeply(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const member of Object.values(value)) freezeDeeply(member)
}

export const storedAbuse = storedSettings(Abuse)
export const storedAssistant = storedSettings(Assistant)
export const storedChannels = storedSettings(Channels)
export const storedForms = storedSettings(Forms)
export const storedHours = storedSettings(OfficeHours)
export const storedOrigins = storedSettings(z.array(z.string()))
export const storedPrivacy = storedSettings(Privacy)
export const storedReplies = storedSettings(Tenant.shape.quick_replies)
export const storedSynonyms = storedSettings(Tenant.shape.synonyms)
