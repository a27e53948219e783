import { BANNER, expectClear } from './overlap.ts'
import { expect, pageWith, tag, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('moves above a cookie banner, and back when that is gone', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.goto(site.serve(pageWith(BANNER + tag(product))))
  await expectClear(page, '#banner')
  const above = await widget.launcher.boundingBox()
  await page.locator('#banner').evaluate((banner) => banner.remove())
  await expect.poll(async () => (await widget.launcher.boundingBox())?.y).not.toBe(above?.y)
  const below = await widget.launcher.boundingBox()
  expect((below?.y ?? 0) + (below?.height ?? 0)).toBe(700)
})

test('moves above the launcher of another widget', async ({ page, product, site }) => {
  const other =
    '<button id="other" style="position:fixed;bottom:24px;right:24px;width:60px;height:60px">?</button>'
  await page.goto(site.serve(pageWith(other + tag(product))))
  await expectClear(page, '#other')
})

test('stays beside another widget whose open panel reaches out of its box', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.goto(site.serve(pageWith(tag(product))))
  await expect(widget.launcher).toBeVisible()
  await page.evaluate(() => {
    const other = document.createElement('div')
    other.id = 'other'
    other.style.cssText = 'position:fixed;bottom:24px;right:24px;width:60px;height:60px'
    const panel = document.createElement('div')
    panel.style.cssText = 'position:absolute;bottom:70px;right:0;width:300px;height:300px'
    other.attachShadow({ mode: 'open' }).append(panel)
    document.body.append(other)
  })
  await expectClear(page, '#other')
  await widget.open()
  await expect(widget.input).toBeFocused()
})

test('never lies over what has the focus', async ({ page, product, site }) => {
  const field = '<input id="field" style="position:absolute;top:640px;right:0;width:300px">'
  const sticky = '<div style="position:sticky;bottom:0;height:20px"></div>'
  await page.goto(
    site.serve(pageWith(BANNER.replace('90px', '1px') + sticky + field + tag(product))),
  )
  await page.locator('#field').focus()
  await expectClear(page, '#field')
})

test('looks around itself only in a tab that is seen', async ({ page, product, site, widget }) => {
  await page.addInitScript(() => {
    const real = document.elementsFromPoint.bind(document)
    const looks: number[] = []
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    Object.assign(window, { looks })
    document.elementsFromPoint = (...place) => {
      looks.push(place[0])
      return real(...place)
    }
  })
  await page.clock.install()
  await page.goto(site.serve(pageWith(BANNER + tag(product))))
  await expect(widget.launcher).toBeVisible()
  const looks = async () => {
    await page.clock.runFor(5_000)
    return page.evaluate<number>('looks.length')
  }
  expect(await looks()).toBe(0)
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: false }))
  expect(await looks()).toBeGreaterThan(0)
  await expectClear(page, '#banner')
})
