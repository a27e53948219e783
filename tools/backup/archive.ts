import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { reasonOf } from '../../server/doctor/findings.ts'
import { CommandError } from '../command-error.ts'

const OWNER_ONLY = 0o600
const FORMAT = 'sohbet-backup'
const PARTIAL_NAME_BYTES = 4

/** A value of a row; bytes travel as base64. */
export type Value = string | number | null | Uint8Array
type Stored = string | number | null | { base64: string }

const Header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  created_at: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Names the secret key that the stored secrets are encrypted with. */
  key_id: z.string(),
  /** The key itself, where it was generated into the data directory. */
  secret_key: z.string().optional(),
})
export type Header = z.infer<typeof Header>

const Trailer = z.object({ rows: z.record(z.string(), z.number()), sha256: z.string() })
const StoredValue = z.union([z.string(), z.number(), z.null(), z.object({ base64: z.string() })])
const RowLine = z.tuple([z.number(), z.array(StoredValue)])

/** A row, and the number of its table in the header. */
export interface ArchiveRow {
  table: number
  values: readonly Value[]
}

/**
 * Writes a backup: gzip of JSON lines, a header, the rows, and a last line with their numbers and the
 * SHA-256 of all lines before. The file appears under its name once it is complete and on the disk, and
 * replaces no other one, such as that of a backup that ran beside this one. Throws `CommandError` where it
 * cannot be written; then nothing of it is left.
 */
export async function writeArchive(
  file: string,
  header: Omit<Header, 'format' | 'version'>,
  rows: AsyncIterable<ArchiveRow>,
): Promise<Record<string, number>> {
  const partial = `${file}.${randomBytes(PARTIAL_NAME_BYTES).toString('hex')}.partial`
  const counts = Object.fromEntries(header.tables.map(({ name }) => [name, 0]))
  let sourceError: unknown
  async function* lines() {
    const hash = createHash('sha256')
    const hashed = (line: object) => {
      const text = `${JSON.stringify(line)}\n`
      hash.update(text)
      return text
    }
    yield hashed({ format: FORMAT, version: 1, ...header })
    try {
      for await (const { table, values } of rows) {
        yield hashed([table, values.map(toStored)])
        const name = header.tables[table]?.name ?? ''
        counts[name] = (counts[name] ?? 0) + 1
      }
    } catch (error) {
      sourceError = error
      throw error
    }
    yield `${JSON.stringify({ rows: counts, sha256: hash.digest('hex') })}\n`
  }
  let target: FileHandle | undefined
  try {
    target = await open(partial, 'wx', OWNER_ONLY)
    await pipeline(lines, createGzip(), target.createWriteStream({ flush: true }))
    await publish(partial, file)
  } catch (cause) {
    if (target) await rm(partial, { force: true })
    if (sourceError !== undefined) throw sourceError
    if (cause instanceof CommandError) throw cause
    throw new CommandError(`${file} cannot be written: ${reasonOf(cause)}.`, { cause })
  }
  return counts
}

/** Returns the refusal of a name that another file has. */
export function nameTaken(file: string): CommandError {
  return new CommandError(`${file} exists already. Choose another name.`)
}

/** Gives a file its name unless another one has it. A rename, for disks without links, would replace that. */
async function publish(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file)
  } catch (error) {
    if (isTaken(error)) throw nameTaken(file)
    await rename(partial, file)
    return
  }
  await rm(partial)
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** A backup whose checksum and row counts were compared. */
export interface Archive {
  header: Header
  counts: Record<string, number>
  /** Reads the rows from the start. */
  rows(): AsyncGenerator<ArchiveRow>
}

/** Opens a backup. Throws `CommandError` for a file that is damaged, cut off, or no backup. */
export async function openArchive(file: string): Promise<Archive> {
  const hash = createHash('sha256')
  const counted: number[] = []
  let header: Header | undefined
  let trailer: z.infer<typeof Trailer> | undefined
  try {
    for await (const line of linesOf(file)) {
      const parsed: unknown = JSON.parse(line)
      if (!header) header = Header.parse(parsed)
      else if (Array.isArray(parsed)) {
        const [table] = RowLine.parse(parsed)
        counted[table] = (counted[table] ?? 0) + 1
      } else {
        trailer = Trailer.parse(parsed)
        continue
      }
      hash.update(`${line}\n`)
    }
  } catch (cause) {
    throw new CommandError(`${file} cannot be read as a backup: it is damaged or another file.`, {
      cause,
    })
  }
  const isWhole =
    header?.tables.every(({ name }, index) => trailer?.rows[name] === (counted[index] ?? 0)) ??
    false
  if (!header || !trailer || !isWhole || hash.digest('hex') !== trailer.sha256) {
    throw new CommandError(`${file} is damaged: its checksum does not fit. Nothing was changed.`)
  }
  return {
    header,
    counts: trailer.rows,
    async *rows() {
      for await (const line of linesOf(file)) {
        const { data } = RowLine.safeParse(JSON.parse(line))
        if (data) yield { table: data[0], values: data[1].map(fromStored) }
      }
    },
  }
}

/** Rejects for a file that cannot be read or unzipped. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const unzipped = createGunzip()
  const source = createReadStream(file)
  source.on('error', (error) => unzipped.destroy(error))
  source.pipe(unzipped)
  let rest = ''
  for await (const chunk of unzipped.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function toStored(value: Value): Stored {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

function fromStored(value: Stored): Value {
  return value !== null && typeof value === 'object' ? Buffer.from(value.base64, 'base64') : value
}
