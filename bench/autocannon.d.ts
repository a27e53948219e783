declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    duration: number
    method: string
    headers: Record<string, string>
    requests: { body: string }[]
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
