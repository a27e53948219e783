import { expect, test } from 'vitest'
import { throwawayFolder } from '../../services/folder.ts'

const GIB = 1024 ** 3

test.each([
  ['there is room in memory', { shm: 12, memory: 20 }, '/dev/shm'],
  ['the folder in memory is small, as in a container', { shm: 0.0625, memory: 20 }, '/tmp'],
  ['memory is scarce', { shm: 12, memory: 4 }, '/tmp'],
  ['there is no such folder', { shm: 0, memory: 20 }, '/tmp'],
])('what a run throws away goes to the right place when %s', (_when, room, expected) => {
  const left = () => room.shm * GIB
  expect(throwawayFolder({ left, memory: room.memory * GIB, fallback: '/tmp' })).toBe(expected)
})
