/** One thing and where it stands; nowhere once it has left. */
interface Place<Thing> {
  readonly thing: Thing
  at: number
}

const NOWHERE = -1

/**
 * Things that come and soon leave, in no order. Not a `Set`: one that is filled and emptied all the time
 * copies itself every few dozen times, and each dead copy keeps what was in it in memory until the
 * next collection of everything. For event streams that was most of what a collection had to do.
 */
export class Roster<Thing> {
  readonly #places: Place<Thing>[] = []

  get size(): number {
    return this.#places.length
  }

  /** The returned function takes the thing out again; it answers whether it was still in. */
  add(thing: Thing): () => boolean {
    const place = { thing, at: this.#places.length }
    this.#places.push(place)
    return () => this.#remove(place)
  }

  /** Those that are in now, as a list that does not change. */
  all(): Thing[] {
    return this.#places.map(({ thing }) => thing)
  }

  #remove(place: Place<Thing>): boolean {
    const { at } = place
    if (at === NOWHERE) return false
    place.at = NOWHERE
    const last = this.#places.pop()
    if (!last || last === place) return true
    last.at = at
    this.#places[at] = last
    return true
  }
}
