import type { BrowserContext, Page, Worker } from '@playwright/test'
import { startPushService, type TestBrowser } from '../../helpers/servers/push-service.ts'
import { expect, test } from '../fixtures.ts'
import { accessFaults, addOperator, openPanel } from './people.ts'

// The headless shell refuses the permission to show notifications.
test.use({ contextOptions: { reducedMotion: 'reduce' }, isWholeBrowser: true })

/** The alerts of a page: notifications, and tones of the sound. */
interface Told {
  titles: string[]
  tones: number
}
declare global {
  interface Window {
    told: Told
  }
}

/** Globals of a service worker. */
declare const registration: ServiceWorkerRegistration
declare const NotificationEvent: new (name: string, init: object) => Event

const ENGLISH = { locale: 'en-GB' }

test('a message in one’s own conversation sounds and shows a desktop notification', async ({
  browser,
  product,
  widget,
}) => {
  const login = await addOperator(product, 'Ece')
  await widget.begin()
  const id = await widget.session()
  const { page } = await openPanel(browser, product, '/inbox', { ...ENGLISH, login })
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript(listen)
  await page.goto(`${product.url}/panel/inbox/${id}`)
  await page.getByRole('button', { name: 'Notifications' }).click()
  await expect(page.getByRole('button', { name: 'Desktop notifications: on' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Reply' }).fill('Hello')
  await page.keyboard.press('Enter')
  await expect(widget.panel.locator('[part=operator]')).toContainText('Hello')
  // The panel has its stream, and asks which conversations are one's own.
  const isListening = page.waitForRequest(/\/inbox\?.*assignee=me/)
  await page.goto(`${product.url}/panel/appointments`)
  await isListening
  await page.evaluate(() => (document.hasFocus = () => false))
  await widget.ask('Bir sorum daha var')
  const told = () => page.evaluate(() => window.told)
  await expect.poll(async () => (await told()).titles).toEqual(['New message in your conversation'])
  expect((await told()).tones).toBeGreaterThan(0)
})

test('push messages are switched on, arrive while the panel is closed, and open the visitor', async ({
  browser,
  product,
  widget,
}) => {
  const service = await startPushService()
  const { page, faults } = await openPanel(browser, product, '/account/notifications', ENGLISH)
  const context = page.context()
  await context.grantPermissions(['notifications'])
  // The browser's push service is out of reach in a test: another one stands in for it.
  await page.addInitScript(standIn, service.subscribe())
  await page.reload()
  const workerStarted = context.waitForEvent('serviceworker')
  await page.getByRole('button', { name: 'Turn on push messages' }).click()
  await expect(page.getByText(/shows push messages, also while/)).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  const worker = await workerStarted

  await widget.begin()
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect.poll(() => service.received.length).toBeGreaterThan(0)
  const payload = service.received[0]?.payload
  // A message from the developer tools can be lost; the tag makes a second one replace the first.
  await expect(async () => {
    await deliver(context, page, JSON.stringify(payload))
    await expect.poll(() => shown(worker), { timeout: 3_000 }).toEqual([payload?.title])
  }).toPass()
  const id = await widget.session()
  await press(worker)
  await expect(page).toHaveURL(`${product.url}/panel/inbox/${id}`)
  await expect(page.getByRole('log')).toContainText('Kargo ücreti ne kadar?')

  await page.goto(`${product.url}/panel/account/notifications`)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('button', { name: 'Turn on push messages' })).toBeVisible()
  expect(faults).toEqual([])
  await service.close()
})

/** Runs in the page: counts tones and notifications. */
function listen(): void {
  const told: Told = { titles: [], tones: 0 }
  window.told = told
  window.Notification = class extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options)
      told.titles.push(title)
    }
  }
  window.OscillatorNode = class extends OscillatorNode {
    override start(when?: number): void {
      told.tones += 1
      super.start(when)
    }
  }
}

/** Runs in the page: subscribes at the test's push service. */
function standIn(given: TestBrowser): void {
  const kept = 'subscribed'
  const subscription = {
    ...given,
    unsubscribe() {
      sessionStorage.removeItem(kept)
      return Promise.resolve(true)
    },
  }
  Object.assign(PushManager.prototype, {
    subscribe() {
      sessionStorage.setItem(kept, '')
      return Promise.resolve(subscription)
    },
    getSubscription: () =>
      Promise.resolve(sessionStorage.getItem(kept) === null ? null : subscription),
  })
}

/** Hands a message to the service worker, as the browser does when one comes. */
async function deliver(context: BrowserContext, page: Page, data: string): Promise<void> {
  const session = await context.newCDPSession(page)
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(
        ({ scopeURL, isDeleted }) => !isDeleted && scopeURL.endsWith('/panel/'),
      )
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const origin = new URL(page.url()).origin
  const message = { origin, registrationId: await found, data }
  await session.send('ServiceWorker.deliverPushMessage', message)
}

/** The titles that the service worker shows. */
function shown(worker: Worker): Promise<string[]> {
  return worker.evaluate(async () =>
    (await registration.getNotifications()).map(({ title }) => title),
  )
}

/** Presses the notification. */
async function press(worker: Worker): Promise<void> {
  await worker.evaluate(async () => {
    const [notification] = await registration.getNotifications()
    dispatchEvent(new NotificationEvent('notificationclick', { notification }))
  })
}
