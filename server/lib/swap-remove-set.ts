/** An item and its index; `REMOVED` once it is out. */
interface Slot<Item> {
  readonly item: Item
  index: number
}

const REMOVED = -1

/**
 * An unordered set of items that come and soon leave; the last item takes the index of a removed one.
 * A `Set` that is filled and emptied all the time copies its table every few dozen additions, and
 * each dead table keeps its items in memory until the next full garbage collection. For event
 * streams that was most of the work of a collection.
 */
export class SwapRemoveSet<Item> {
  readonly #slots: Slot<Item>[] = []

  get size(): number {
    return this.#slots.length
  }

  /** The returned function removes the item; returns whether the item was still in. */
  add(item: Item): () => boolean {
    const slot = { item, index: this.#slots.length }
    this.#slots.push(slot)
    return () => this.#remove(slot)
  }

  /** The items of this moment, as a copy. */
  all(): Item[] {
    return this.#slots.map(({ item }) => item)
  }

  #remove(slot: Slot<Item>): boolean {
    const { index } = slot
    if (index === REMOVED) return false
    slot.index = REMOVED
    const last = this.#slots.pop()
    if (!last || last === slot) return true
    last.index = index
    this.#slots[index] = last
    return true
  }
}
