import type { Context } from '../../context.ts'
import { isoTime, type PageQuery } from '../../http/pagination.ts'
import { toPage } from '../../lib/cursor.ts'
import type { TenantRef } from '../documents/documents.ts'
import type { UnansweredQuestion } from '../schema.ts'
import { listQuestions, type UnansweredRow } from './store.ts'

/** Returns a page of the questions that the bot had no answer to, those asked most often first. */
export async function readQuestions(ctx: Context, tenant: TenantRef, { limit, cursor }: PageQuery) {
  const rows = await listQuestions(ctx.db, tenant, { limit, after: cursor })
  return toPage(rows, limit, (row) => ({ at: row.asked, id: row.id }), serializeQuestion)
}

function serializeQuestion(row: UnansweredRow): UnansweredQuestion {
  return {
    question_id: row.id,
    question: row.question,
    locale: row.locale,
    count: row.asked,
    first_asked_at: isoTime(row.first_asked_at),
    last_asked_at: isoTime(row.last_asked_at),
  }
}
