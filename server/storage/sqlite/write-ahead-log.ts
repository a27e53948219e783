import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

/** The format of the log: https://sqlite.org/walformat.html. Its numbers are big-endian. */
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC = 0x377f0682
/** The last bit of the magic number: checksums add big-endian words. */
const BIG_ENDIAN_BIT = 1
const VERSION = 3_007_000
const MIN_PAGE_BYTES = 512
const MAX_PAGE_BYTES = 65_536
/** The place of the size of its pages in the database's own header. */
const PAGE_SIZE_AT = 16
const CHUNK_BYTES = 1_048_576

/** The part of a damaged log that SQLite leaves out, without a word, when it opens the database. */
export interface LostFrames {
  /** The number of frames before them, which are read. */
  after: number
  frames: number
  bytes: number
}

type Sum = readonly [number, number]

interface Frame {
  number: number
  page: number
  isCommit: boolean
  salts: Sum
  checksum: Sum
  /** Returns the checksum that the frame has after one with `seed`. */
  sumAfter(seed: Sum): Sum
}

/**
 * Finds the frames of committed transactions that SQLite will not read from the log of `database`:
 * it stops at the first frame whose checksum is wrong, and goes back to the commit before. Returns
 * undefined where every commit can be read.
 *
 * A process that is killed leaves frames without their commit behind the last one, the last of them
 * perhaps cut off, and so does a large transaction that was rolled back. Both end here: frames are lost
 * if a commit follows a wrong one, or if the wrong one is a commit and a frame was written after it.
 * A commit that is the last frame of the log and wrong may be cut off too, and does not count. A
 * power failure may bring later frames to the disk than those before them, so that frames count which
 * nobody had been told of.
 */
export function findLostFrames(database: string): LostFrames | undefined {
  const file = `${database}-wal`
  if (!existsSync(database) || !existsSync(file)) return undefined
  const log = openSync(file, 'r')
  try {
    return examineLog(log, database)
  } finally {
    closeSync(log)
  }
}

function examineLog(log: number, database: string): LostFrames | undefined {
  const head = Buffer.alloc(HEADER_BYTES)
  if (readSync(log, head, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined
  const isLittleEndian = (head.readUInt32BE(0) & BIG_ENDIAN_BIT) === 0
  const seed = addUp([0, 0], { bytes: head, from: 0, until: 24, isLittleEndian })
  const isReadable = isSame(seed, sumAt(head, 24)) && isHeader(head)
  const pageBytes = isReadable ? head.readUInt32BE(8) : pageBytesOf(database)
  let salts = isReadable ? sumAt(head, 16) : undefined
  /** The checksum of the last frame that can be read; undefined behind the first one that cannot. */
  let sum = isReadable ? seed : undefined
  let lastRead = 0
  let lastLost = 0
  let wrong: Frame | undefined
  for (const frame of framesOf(log, pageBytes, isLittleEndian)) {
    salts ??= frame.salts
    const isOfLog = isSame(frame.salts, salts) && frame.page !== 0
    if (sum) {
      const next = frame.sumAfter(sum)
      if (isOfLog && isSame(next, frame.checksum)) {
        sum = next
        if (frame.isCommit) lastRead = frame.number
        continue
      }
      sum = undefined
      wrong = frame
    } else if (isOfLog) {
      if (frame.isCommit) lastLost = frame.number
      else if (wrong?.isCommit && wrong.number === frame.number - 1) {
        const isNext = isSame(frame.sumAfter(wrong.checksum), frame.checksum)
        if (isNext) lastLost = wrong.number
      }
    }
  }
  const frames = lastLost - lastRead
  if (frames <= 0) return undefined
  return { after: lastRead, frames, bytes: frames * (FRAME_HEADER_BYTES + pageBytes) }
}

function isHeader(head: Buffer): boolean {
  const pageBytes = head.readUInt32BE(8)
  return (
    (head.readUInt32BE(0) & ~BIG_ENDIAN_BIT) === MAGIC &&
    head.readUInt32BE(4) === VERSION &&
    pageBytes >= MIN_PAGE_BYTES &&
    pageBytes <= MAX_PAGE_BYTES &&
    (pageBytes & (pageBytes - 1)) === 0
  )
}

/** The size of the pages by the database, for a log whose header is damaged. */
function pageBytesOf(database: string): number {
  const file = openSync(database, 'r')
  try {
    const size = Buffer.alloc(2)
    readSync(file, size, 0, size.length, PAGE_SIZE_AT)
    // 65,536 does not fit and is written as 1.
    const found = size.readUInt16BE(0)
    return found >= MIN_PAGE_BYTES ? found : MAX_PAGE_BYTES
  } finally {
    closeSync(file)
  }
}

function* framesOf(log: number, pageBytes: number, isLittleEndian: boolean): Generator<Frame> {
  const size = FRAME_HEADER_BYTES + pageBytes
  const count = Math.floor((fstatSync(log).size - HEADER_BYTES) / size)
  const perChunk = Math.max(1, Math.floor(CHUNK_BYTES / size))
  const chunk = Buffer.alloc(perChunk * size)
  for (let first = 0; first < count; first += perChunk) {
    const read = readSync(log, chunk, 0, chunk.length, HEADER_BYTES + first * size)
    for (let at = 0; at + size <= read; at += size) {
      const bytes = chunk.subarray(at, at + size)
      yield {
        number: first + at / size + 1,
        page: bytes.readUInt32BE(0),
        isCommit: bytes.readUInt32BE(4) !== 0,
        salts: sumAt(bytes, 8),
        checksum: sumAt(bytes, 16),
        sumAfter(seed) {
          const head = addUp(seed, { bytes, from: 0, until: 8, isLittleEndian })
          return addUp(head, { bytes, from: FRAME_HEADER_BYTES, until: size, isLittleEndian })
        },
      }
    }
  }
}

function addUp(
  seed: Sum,
  words: { bytes: Buffer; from: number; until: number; isLittleEndian: boolean },
): Sum {
  const { bytes, from, until, isLittleEndian } = words
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [first, second] = seed
  for (let at = from; at < until; at += 8) {
    first = (first + view.getUint32(at, isLittleEndian) + second) >>> 0
    second = (second + view.getUint32(at + 4, isLittleEndian) + first) >>> 0
  }
  return [first, second]
}

function sumAt(bytes: Buffer, at: number): Sum {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
}

function isSame(left: Sum, right: Sum): boolean {
  return left[0] === right[0] && left[1] === right[1]
}
