declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration?: number
    /** How many requests, in place of a duration. */
    amount?: number
    /** Requests per second of all connections together. */
    overallRate?: number
    /** Seconds until a connection gives up. */
    timeout?: number
    method: string
    headers: Record<string, string>
    body?: string
    requests?: { body: string; headers?: Record<string, string> }[]
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

  interface Run extends Promise<Result> {
    on(
      event: 'response',
      call: (client: unknown, status: number, bytes: number, ms: number) => void,
    ): void
  }

  export default function autocannon(options: Options): Run
}
