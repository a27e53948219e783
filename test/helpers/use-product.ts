import { afterAll, afterEach, beforeAll } from 'vitest'
import type { DatabasePlace, TestDatabase } from './databases.ts'
import {
  type ProductOptions,
  type StartedProduct,
  type TestProduct,
  startTestProduct,
} from './product.ts'

/**
 * Provides one product with its own database to all tests of the group. Each test creates its own
 * workspace. Options that depend on a server of the group are a function, called at the start.
 */
export function useProduct(
  database: TestDatabase,
  options: ProductOptions | (() => ProductOptions) = {},
): TestProduct {
  const product = useStarted(async () =>
    startTestProduct(await database.create(), typeof options === 'function' ? options() : options),
  )
  return {
    get url() {
      return product().url
    },
    get devPath() {
      return product().devPath
    },
    get ctx() {
      return product().ctx
    },
    call: (path, call) => product().call(path, call),
  }
}

/** Starts a resource before the first test of the group and stops it after the last; returns a getter. */
export function useStarted<Started extends { stop(): Promise<void> }>(
  start: () => Promise<Started>,
): () => Started {
  let started: Started | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(() => started?.stop())
  return () => {
    if (!started) throw new Error('It starts with the first test, not before.')
    return started
  }
}

type Start = (place: DatabasePlace, options?: ProductOptions) => Promise<StartedProduct>

/** Returns a function that starts a product; each is stopped after the test, the last one first. */
export function useStartedProducts(): Start {
  const started: StartedProduct[] = []
  afterEach(async () => {
    for (const product of started.splice(0).toReversed()) await product.stop()
  })
  return async (place, options) => {
    const product = await startTestProduct(place, options)
    started.push(product)
    return product
  }
}
