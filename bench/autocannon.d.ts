declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration?: number
    /** How many requests, in place of a duration. */
    amount?: number
    method: string
    headers: Record<string, string>
    body?: string
    requests?: { body: string }[]
  }

  interface Result {
    '2xx': number
    non2xx: number
    errors: number
    /** Seconds. */
    duration: number
    /** Milliseconds. */
    latency: { p50: number; p99: number }
  }

  export default function autocannon(options: Options): Promise<Result>
}
