import { expect, test } from 'vitest'
import { describeOnPostgres } from '../../helpers/databases.ts'
import { startTestProduct } from '../../helpers/product.ts'

describeOnPostgres('an empty database', (database) => {
  test('is set up once by processes that start on it at the same moment', async () => {
    const place = await database.createEmpty()
    const starts = await Promise.allSettled(
      Array.from({ length: 6 }, () => startTestProduct(place)),
    )
    const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    const failures = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []))
    for (const product of started) {
      await expect.poll(async () => (await product.call('/health/ready')).status).toBe(200)
      await product.stop()
    }
    expect(failures).toEqual([])
  })
})
