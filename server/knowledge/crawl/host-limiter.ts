/** Lets so many ask one host at a time; the others wait in line. */
export class HostLimiter {
  readonly #most: number
  readonly #inside = new Map<string, { count: number; waiting: (() => void)[] }>()

  constructor(max: number) {
    this.#most = max
  }

  async run<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
    const place = this.#inside.get(host) ?? { count: 0, waiting: [] }
    this.#inside.set(host, place)
    if (place.count >= this.#most) await new Promise<void>((enter) => place.waiting.push(enter))
    else place.count += 1
    try {
      return await work()
    } finally {
      const next = place.waiting.shift()
      if (next) next()
      else place.count -= 1
      if (place.count === 0) this.#inside.delete(host)
    }
  }
}
