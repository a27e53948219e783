import type { Appointment } from '../../../server/appointments/schema.ts'
import type { Api, Page, Query } from '../../app/api/api.ts'

/** A week or the coming months of one site stay well below this. */
const MAX_PAGES = 10

/** Returns every appointment that the filter selects, in the order of their times. */
export async function allAppointments(
  api: Api,
  filter: Query,
  signal: AbortSignal,
): Promise<Appointment[]> {
  const found: Appointment[] = []
  let cursor: string | null = null
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const query: Query = { ...filter, limit: 100, cursor }
    const page: Page<Appointment> = await api.get('appointments', query, signal)
    found.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return found.toSorted((one, other) => Date.parse(one.start) - Date.parse(other.start))
}
