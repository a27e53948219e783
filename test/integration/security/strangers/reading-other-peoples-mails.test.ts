import { expect, test } from 'vitest'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { METRICS_TOKEN, startTestProduct } from '../../../helpers/product.ts'

describeOnDatabase('a stranger who looks like loopback', (database) => {
  const run = async (settings: Record<string, string>, paths: (devPath: string) => string[]) => {
    const product = await startTestProduct(await database.create(), { settings })
    try {
      const answers = await Promise.all(
        paths(product.devPath).map((path) => product.call<{ code?: string }>(path)),
      )
      return answers.map(({ status }) => status)
    } finally {
      await product.stop()
    }
  }

  test('cannot read the mails and captured webhooks behind a bare reverse proxy', async () => {
    const guesses = () => ['/dev/mail', '/dev/hooks', '/dev/hooks.css', '/dev/x/mail']
    expect(await run({}, guesses)).toEqual([404, 404, 404, 404])
    expect(await run({ DEV_PAGES: 'false' }, guesses)).toEqual([404, 404, 404, 404])
    expect(await run({}, (path) => [`${path}/mail`, `${path}/hooks`])).toEqual([200, 200])
  })

  test('finds another path after each start', async () => {
    const paths: string[] = []
    for (let start = 0; start < 2; start += 1) {
      await run({}, (path) => {
        paths.push(path)
        return []
      })
    }
    expect(new Set(paths).size).toBe(2)
    for (const path of paths) expect(path).toMatch(/^\/dev\/[0-9A-Za-z]{22,}$/)
  })

  test('cannot read the metrics without their token', async () => {
    expect(await run({ METRICS_TOKEN: '' }, () => ['/metrics'])).toEqual([404])
    const product = await startTestProduct(await database.create())
    const none = await product.call('/metrics')
    const wrong = await product.call('/metrics', { token: `${METRICS_TOKEN}x` })
    const right = await product.call('/metrics', { token: METRICS_TOKEN })
    await product.stop()
    expect([none.status, wrong.status, right.status]).toEqual([401, 401, 200])
  })
})
