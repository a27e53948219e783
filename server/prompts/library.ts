import { agencies } from './library/agencies.ts'
import { clinics } from './library/clinics.ts'
import { everyone } from './library/everyone.ts'
import type { LibraryPrompt } from './library/prompt.ts'
import { shops } from './library/shops.ts'

/** The library, by name. */
export const LIBRARY: ReadonlyMap<string, LibraryPrompt> = new Map(
  [...everyone, ...clinics, ...agencies, ...shops]
    .toSorted((one, other) => (one.prompt_id < other.prompt_id ? -1 : 1))
    .map((prompt) => [prompt.prompt_id, prompt]),
)
