import { z } from 'zod'

/** Largest file that can be uploaded, in bytes. */
export const MAX_FILE_BYTES = 10_000_000
const MAX_SYNC_HOURS = 24 * 30

export const DocumentKind = z.enum(['markdown', 'html', 'text'])
export type DocumentKind = z.infer<typeof DocumentKind>
/** Kinds of files, detected from their content. */
export type FileKind = DocumentKind | 'pdf' | 'docx'

const Title = z.string().trim().min(1).max(300)
const Content = z.string().min(1)
const Url = z.url({ protocol: /^https?$/, error: 'must be a web address' }).max(2_048)

export const PastedDocument = z.strictObject({
  kind: DocumentKind,
  title: Title,
  content: Content,
  url: Url.nullable().optional(),
})
export type PastedDocument = z.infer<typeof PastedDocument>

/** A page or a sitemap, fetched now and then every `sync_hours`; null: fetched once. */
export const NewSource = z.strictObject({
  kind: z.enum(['url', 'sitemap']),
  url: Url,
  title: Title.optional(),
  sync_hours: z.int().min(1).max(MAX_SYNC_HOURS).nullable().optional(),
})
export type NewSource = z.infer<typeof NewSource>

export const NewDocument = z.discriminatedUnion('kind', [PastedDocument, NewSource])
export type NewDocument = z.infer<typeof NewDocument>

/** The fields of an upload form beside its file. */
export const UploadFields = z.strictObject({ title: Title.optional(), url: Url.optional() })
export type UploadFields = z.infer<typeof UploadFields>

export const DocumentPatch = z.strictObject({
  title: Title.optional(),
  content: Content.optional(),
  url: Url.nullable().optional(),
  sync_hours: z.int().min(1).max(MAX_SYNC_HOURS).nullable().optional(),
})
export type DocumentPatch = z.infer<typeof DocumentPatch>

export const Document = z.object({
  doc_id: z.string(),
  tenant_id: z.string(),
  /** The sitemap that lists this page. */
  parent_id: z.string().nullable(),
  kind: z.enum(['markdown', 'html', 'text', 'pdf', 'docx', 'url', 'sitemap']),
  title: z.string(),
  url: z.string().nullable(),
  file_name: z.string().nullable(),
  state: z.enum(['queued', 'indexing', 'ready', 'failed']),
  error: z.string().nullable(),
  /** For a sitemap, the sum over its pages. */
  passages: z.int(),
  /** Size of the source in bytes. */
  bytes: z.int(),
  /** Counts of a sitemap's pages; null for other kinds. */
  pages: z.object({ total: z.int(), ready: z.int(), failed: z.int() }).nullable(),
  /** Hours between two syncs; null for a single sync. */
  sync_hours: z.int().nullable(),
  synced_at: z.string().nullable(),
  next_sync_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Document = z.infer<typeof Document>

export const SearchQuery = z.strictObject({
  q: z.string().trim().min(1).max(4_000),
  limit: z.coerce.number().int().min(1).max(50).default(8),
})
export type SearchQuery = z.infer<typeof SearchQuery>

/** A search result: a passage that an answer would use. */
export const FoundPassage = z.object({
  doc_id: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  heading: z.string(),
  anchor: z.string().nullable(),
  text: z.string(),
  score: z.number(),
})
export type FoundPassage = z.infer<typeof FoundPassage>

/** A passage as the assistant has read it. */
export const ReadPassage = z.object({ heading: z.string(), text: z.string() })
export type ReadPassage = z.infer<typeof ReadPassage>

/** An unanswered question; similar wordings are counted together. */
export const UnansweredQuestion = z.object({
  question_id: z.string(),
  /** The newest wording, without e-mail addresses and long numbers. */
  question: z.string(),
  locale: z.string(),
  count: z.int(),
  first_asked_at: z.string(),
  last_asked_at: z.string(),
})
export type UnansweredQuestion = z.infer<typeof UnansweredQuestion>
