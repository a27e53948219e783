/** An id that no other message of this visitor has; `randomUUID` needs a page served over HTTPS. */
export function newId(): string {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
}
