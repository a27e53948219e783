import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LostFrames } from './write-ahead-log.ts'

const OWNER_ONLY = 0o600
const FILE = 'lost-frames.txt'

/** Adds a sentence to a file that outlives the log, for later starts and for the doctor. */
export function recordLostFrames(directory: string, lost: LostFrames): void {
  const time = new Date().toISOString()
  const loss = `At ${time} the database was opened after a crash, and ${countLost(lost)} could not be read: committed changes are missing.`
  appendFileSync(join(directory, FILE), `${loss}\n`, { mode: OWNER_ONLY })
}

/**
 * Returns a sentence for each time that frames were lost, and what to do: until a person has removed
 * the file.
 */
export function readLostFrames(directory: string): { losses: string[]; remedy: string } {
  const file = join(directory, FILE)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return {
    losses: text.split('\n').filter((line) => line !== ''),
    remedy: `Examine the disk. Restore the last backup if it has what is missing now, or if conversations and credits do not fit together. Then remove ${file}.`,
  }
}

/** Returns the size of a loss, such as `3 frames (12,360 bytes) of the write-ahead log`. */
export function countLost({ frames, bytes }: LostFrames): string {
  const unit = frames === 1 ? 'frame' : 'frames'
  return `${frames} ${unit} (${bytes.toLocaleString('en')} bytes) of the write-ahead log`
}
