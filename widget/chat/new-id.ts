/** An id unique among the visitor's messages; `randomUUID` needs a page served over HTTPS. */
export function newId(): string {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
}
