import type { Page } from '@playwright/test'
import { axeOn, expect, pageWith, tag, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Replaces what rings and alerts by what counts, and says that nobody was asked yet. */
async function countAlerts(page: Page): Promise<() => Promise<Record<string, unknown>>> {
  await page.addInitScript(() => {
    const shown: string[] = []
    const counts = { asked: 0, tones: 0, shown }
    class Notification extends EventTarget {
      static requestPermission(): Promise<string> {
        counts.asked++
        return Promise.resolve('granted')
      }
      constructor(title: string, { body }: { body: string }) {
        super()
        counts.shown.push(`${title}: ${body}`)
      }
    }
    class OscillatorNode extends globalThis.OscillatorNode {
      override start(when?: number): void {
        counts.tones++
        super.start(when)
      }
    }
    Object.assign(globalThis, { counts, Notification, OscillatorNode })
  })
  return () => page.evaluate('counts')
}

test('rings and alerts only after the visitor has switched that on, and asks only then', async ({
  page,
  product,
  widget,
}) => {
  const counts = await countAlerts(page)
  await widget.begin()
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect(widget.panel.locator('.system')).toHaveCount(1)
  const session = await page.evaluate(() => localStorage.getItem('sohbet:demo:session'))
  const write = (text: string) => product.ask(`/api/v1/inbox/${session}/messages`, { text })
  await page.evaluate('Sohbet.close()')
  await write('Merhaba')
  await expect(widget.launcher).toHaveAccessibleName('Sohbet, 1 yeni mesaj')
  await expect(page).toHaveTitle('(1) Shop')
  expect(await counts()).toEqual({ asked: 0, tones: 0, shown: [] })

  await widget.open()
  await expect(page).toHaveTitle('Shop')
  await widget.panel.locator('.more').click()
  for (const name of ['Mesaj sesi', 'Masaüstü bildirimleri', 'Sekme başlığında mesaj sayısı']) {
    const item = widget.panel.getByRole('menuitemcheckbox', { name })
    const isOn = (await item.getAttribute('aria-checked')) === 'true'
    await item.click()
    await expect(item).toHaveAttribute('aria-checked', `${!isOn}`)
  }
  // A chosen sound plays at once.
  await expect.poll(counts).toEqual({ asked: 1, tones: 2, shown: [] })
  await page.evaluate('Sohbet.close()')
  await page.evaluate(() =>
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }),
  )
  await write('Orada mısınız?')
  await expect(widget.launcher).toHaveAccessibleName('Sohbet, 1 yeni mesaj')
  await expect.poll(counts).toEqual({ asked: 1, tones: 4, shown: ['Fincan: Orada mısınız?'] })
  await expect(page).toHaveTitle('Shop')
})

test('says when something was said: how long ago, a pause, the day, and each time on demand', async ({
  page,
  widget,
}) => {
  // Far from midnight, whenever the test runs.
  await page.clock.install({ time: new Date().setHours(10, 0, 0, 0) })
  await widget.begin()
  const atOnce = widget.panel.locator('time:not(.at)')
  await expect(atOnce).toHaveCount(0)
  // The times of both messages are there for screen readers, and shown to who points or taps.
  const onDemand = widget.panel.locator('.at')
  await expect(onDemand).toHaveText(['10:00', '10:00'])
  await page.mouse.move(0, 0)
  await expect(onDemand.last()).toHaveCSS('opacity', '0')
  await widget.answers.locator('.bubble').hover()
  await expect(onDemand.last()).toHaveCSS('opacity', '1')
  await expect(onDemand.first()).toHaveCSS('opacity', '0')
  await widget.panel.locator('[part=visitor] .bubble').click()
  await page.mouse.move(0, 0)
  await expect(onDemand.first()).toHaveCSS('opacity', '1')
  await expect(onDemand.last()).toHaveCSS('opacity', '0')
  await page.clock.fastForward('05:00')
  await expect(widget.panel.locator('.ago')).toHaveText('5 dk. önce')
  await page.clock.fastForward('15:00')
  await widget.ask('İade süresi kaç gün?')
  await expect(widget.answers).toHaveCount(2)
  await expect(atOnce).toHaveText(/^\d\d:\d\d$/)

  await page.clock.setSystemTime(Date.now() + 86_400_000)
  await page.reload()
  await widget.open()
  await expect(widget.panel.locator('time').first()).toHaveText(/^dün \d\d:\d\d$/i)
})

test('invites with words that Escape puts away and that cover nothing in use', async ({
  page,
  product,
  site,
  widget,
}) => {
  const { theme } = await product.ask<{ theme: object }>('/api/v1/tenants/demo')
  const rules = { invitation: { text: 'Size yardımcı olalım mı?', after_seconds: 1 } }
  await product.ask('/api/v1/tenants/demo', { theme: { ...theme, page: rules } }, 'PATCH')
  try {
    const field = '<input id="field" style="position:fixed;bottom:90px;right:30px;width:200px">'
    await page.clock.install()
    await page.goto(site.serve(pageWith(field + tag(product))))
    const words = page.getByRole('button', { name: 'Size yardımcı olalım mı?' })
    await expect(widget.launcher).toBeVisible()
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000)
        return words.isVisible()
      })
      .toBe(true)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const { violations } = await axeOn(page).include('sohbet-widget').analyze()
      expect(violations).toEqual([])
    }
    const close = page.locator('sohbet-widget .invitation button').last()
    const { width = 0, height = 0 } = (await close.boundingBox()) ?? {}
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
    await page.locator('#field').focus()
    await expect(words).toBeHidden()
  } finally {
    await product.ask('/api/v1/tenants/demo', { theme }, 'PATCH')
  }
})
