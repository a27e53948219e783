import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

/** Where Linux keeps files that are only in memory. */
const IN_MEMORY = '/dev/shm'
/** Several times what a run has written at once, databases and their logs. */
const ROOM = 3 * 1024 ** 3

/** What the choice of a folder depends on. */
export interface Room {
  /** Bytes that the file system of a folder has left; 0 when there is no such folder. */
  left: (folder: string) => number
  /** Bytes of memory that nobody uses. */
  memory: number
  /** Where temporary files go otherwise. */
  fallback: string
}

/**
 * The folder for what a run throws away: in memory where there is room, because tests make and drop
 * thousands of files of databases. Tests of crashes kill processes and not the machine, so nothing
 * that they prove needs a disk.
 */
export function throwawayFolder({ left, memory, fallback }: Room): string {
  return Math.min(left(IN_MEMORY), memory / 2) > ROOM ? IN_MEMORY : fallback
}

/** The room on the machine that the tests run on. A folder that was asked for is taken. */
export function roomHere(): Room {
  const isChosen = process.env.TMPDIR !== undefined
  return {
    left: (folder) => (isChosen ? 0 : bytesLeft(folder)),
    memory: freemem(),
    fallback: tmpdir(),
  }
}

function bytesLeft(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
