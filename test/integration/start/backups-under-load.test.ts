import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { countConsistentBackups } from './backups-under-load.ts'

const BACKUPS = 3

describeOnBothDatabases('backups under load', (database) => {
  test(`restore to a consistent state, ${BACKUPS} times of ${BACKUPS}`, async () => {
    const place = await database.create()
    const createEmpty = () => database.createEmpty()
    expect(await countConsistentBackups({ place, createEmpty }, BACKUPS)).toBe(BACKUPS)
  })
})
