import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from './gateways.ts'

const PIECE = 1_024
const SETTLED_MS = 5_000

/** Opens long streams that are read at 1 KB a second; resolves after a warm-up. */
export async function readSlowly(target: Target, count: number): Promise<{ stop: () => number }> {
  let taken = 0
  const ends = Array.from({ length: count }, () => {
    const asked = request(
      target.url,
      {
        agent: false,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...target.headers },
      },
      (answer) => {
        const timer = setInterval(() => {
          const piece: Buffer | null = answer.read(PIECE)
          taken += piece?.length ?? 0
        }, 1_000)
        answer.on('readable', () => undefined)
        answer.on('error', () => undefined)
        answer.once('close', () => clearInterval(timer))
      },
    )
    asked.on('error', () => undefined)
    asked.end(target.body(true).replace('twenty words', 'five megabytes'))
    return () => asked.destroy()
  })
  await sleep(SETTLED_MS)
  return {
    stop() {
      for (const end of ends) end()
      return taken
    },
  }
}
