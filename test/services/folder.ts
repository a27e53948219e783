import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

/** The in-memory file system of Linux. */
const IN_MEMORY = '/dev/shm'
/** Several times the peak size of a run's databases and logs. */
const ROOM = 3 * 1024 ** 3

/** The inputs of the choice of a folder. */
export interface Room {
  /** Returns the free bytes of a folder's file system; 0 for a missing folder. */
  left: (folder: string) => number
  /** Free memory in bytes. */
  memory: number
  /** The system's folder for temporary files. */
  fallback: string
}

/**
 * Returns the folder for a run's temporary files: in memory where it fits, because tests create and
 * remove thousands of database files. Crash tests kill processes, not the machine, so their proof does
 * not need a disk.
 */
export function throwawayFolder({ left, memory, fallback }: Room): string {
  return Math.min(left(IN_MEMORY), memory / 2) > ROOM ? IN_MEMORY : fallback
}

/** Returns the room of this machine; a folder from the environment takes precedence. */
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
