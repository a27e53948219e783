import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStorage } from '../../../widget/host/storage.ts'

/** Storage of a site, whose keys are its own properties as in browsers. */
const browserStorage = {
  getItem(key: string): string | null {
    return Reflect.get(this, key) ?? null
  },
  setItem(key: string, value: string): void {
    Reflect.set(this, key, value)
  },
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key)
  },
}

beforeEach(() => void vi.stubGlobal('localStorage', Object.create(browserStorage)))
afterEach(() => void vi.unstubAllGlobals())

test('what another tab has removed is gone here too', () => {
  const [here, elsewhere] = [openStorage('demo'), openStorage('demo')]
  here.set('outbox:1', 'One')
  here.set('session', 'ses_1')
  elsewhere.set('outbox:1', undefined)
  elsewhere.set('session', undefined)
  expect(here.outbox()).toEqual([])
  expect(here.get('session')).toBeUndefined()
})

test('messages of all tabs are one outbox, in order, and one of each tenant', () => {
  const [here, elsewhere] = [openStorage('demo'), openStorage('demo')]
  elsewhere.set('outbox:2', 'Two')
  here.set('outbox:3', 'Three')
  here.set('outbox:1', 'One')
  openStorage('demo2').set('outbox:0', 'Zero')
  expect(here.outbox()).toEqual(['One', 'Two', 'Three'])
  expect(elsewhere.outbox()).toEqual(here.outbox())
})

test('what a full storage does not take lasts as long as the page', () => {
  const storage = openStorage('demo')
  storage.set('outbox:1', 'One')
  localStorage.setItem = () => {
    throw new DOMException('Full.', 'QuotaExceededError')
  }
  storage.set('outbox:1', 'One, tried')
  storage.set('outbox:2', 'Two')
  expect(storage.outbox()).toEqual(['One, tried', 'Two'])
  expect(openStorage('demo').outbox()).toEqual(['One'])
  storage.set('outbox:1', undefined)
  expect(storage.outbox()).toEqual(['Two'])
})

test('so does everything where storage is blocked', () => {
  vi.stubGlobal('localStorage', undefined)
  const storage = openStorage('demo')
  storage.set('token', 'tok')
  storage.set('outbox:1', 'One')
  expect([storage.get('token'), storage.outbox()]).toEqual(['tok', ['One']])
})
