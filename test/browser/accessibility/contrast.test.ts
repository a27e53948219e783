import type { Locator, Page } from '@playwright/test'
import { expect, pageWith, tag, test } from '../fixtures.ts'
import { holdAnswer } from '../streams.ts'

/** How many pixels of something are nearly black. */
async function darkPixels(page: Page, target: Locator): Promise<number> {
  const picture = (await target.screenshot()).toString('base64')
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas?.drawImage(image, 0, 0)
    const { data: pixels = [] } = canvas?.getImageData(0, 0, image.width, image.height) ?? {}
    return [...pixels].filter((value, at) => at % 4 === 0 && value < 40).length
  }, picture)
}

const LONG = `Kargo **79 TL** tutar.\n\n- Yurt içi\n- Yurt dışı\n\n\`${'K'.repeat(60)}\``

test('has room for fingers, and more of it where it matters', async ({ page, widget }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await widget.visit()
  for (const button of [
    widget.launcher,
    widget.panel.getByRole('button', { name: 'Diğer seçenekler' }),
    widget.panel.getByRole('button', { name: 'Gönder' }),
  ]) {
    const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  }
})

test('moves briefly, and not at all for who asked for less motion', async ({ page, widget }) => {
  await widget.visit()
  await holdAnswer(page)
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.panel.locator('.dots')).toBeVisible()
  const longest = () =>
    widget.panel.evaluate((panel) =>
      Math.max(
        0,
        ...panel
          .getAnimations({ subtree: true })
          .map(({ effect }) => Number(effect?.getComputedTiming().endTime)),
      ),
    )
  expect(await longest()).toBeGreaterThan(0)
  expect(await longest()).toBeLessThanOrEqual(5_000)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await longest()).toBe(0)
  await widget.panel.locator('.more').click()
  await expect(widget.panel.getByRole('menu')).toBeVisible()
  expect(await longest()).toBe(0)
  await page.evaluate('Sohbet.close()')
  await widget.launcher.hover()
  await expect(widget.launcher).toHaveCSS('scale', 'none')
  await expect(widget.launcher).toHaveCSS('transition-duration', '0s')
})

test('keeps its borders, its icons and the focus in forced colors', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await page.goto(site.serve(pageWith(tag(product))))
  await expect(widget.launcher).toHaveCSS('outline-style', 'solid')
  expect(await darkPixels(page, widget.launcher)).toBeGreaterThan(80)
  await widget.open()
  expect(await darkPixels(page, widget.launcher)).toBeGreaterThan(80)
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  for (const part of ['.bubble', '.send', '.composer textarea', '.sources a'])
    await expect(widget.panel.locator(part).first()).toHaveCSS('border-top-style', 'solid')
  await widget.panel.locator('.more').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(widget.panel.locator('.more')).toHaveCSS('outline-style', 'solid')
  for (const icon of await widget.panel.locator('svg').all()) {
    const { stroke, color } = await icon.evaluate((each) => {
      const style = getComputedStyle(each)
      return { stroke: style.stroke, color: style.color }
    })
    expect(stroke).toBe(color)
  }
})

for (const [what, size, change] of [
  ['at 400 % zoom', { width: 320, height: 256 }, ''],
  ['on the narrowest phone', { width: 320, height: 640 }, ''],
  [
    'with the spacing that a reader sets',
    { width: 320, height: 640 },
    '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}' +
      'p{margin-bottom:2em!important}',
  ],
  ['with text of twice the size', { width: 640, height: 800 }, 'double'],
] as const) {
  test(`loses nothing and scrolls one way only ${what}`, async ({ page, widget }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    await widget.begin()
    const answer = await holdAnswer(page)
    await widget.ask('Peki?')
    await answer.finish({ content: LONG, quick_replies: ['İade süresi kaç gün?'] })
    await widget.panel.locator('.more').click()
    await expect(widget.panel.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('End')
    const last = widget.panel.getByRole('menuitemcheckbox').last()
    await expect(last).toBeFocused()
    await expect(last).toBeInViewport({ ratio: 0.9 })
    await page.keyboard.press('Escape')
    await widget.menu('İletişim bilgisi bırak')
    await widget.panel.locator('.form .submit').click()
    await expect(widget.panel.locator('.wrong:not(:empty)')).toHaveCount(3)
    const lost = await widget.panel.evaluate((panel, css) => {
      const root = panel.getRootNode()
      if (!(root instanceof ShadowRoot)) throw new Error('There is no shadow tree.')
      const all = [...panel.querySelectorAll<HTMLElement>('*')]
      if (css === 'double') {
        const sizes = all.map((each) => Number.parseFloat(getComputedStyle(each).fontSize))
        for (const [at, each] of all.entries()) each.style.fontSize = `${(sizes[at] ?? 0) * 2}px`
      } else {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(css)
        root.adoptedStyleSheets.push(sheet)
      }
      const outer = panel.getBoundingClientRect()
      return all
        .filter((each) => each.checkVisibility() && !each.closest('.sr, svg, pre'))
        .filter((each) => {
          const { left, right } = each.getBoundingClientRect()
          const { overflowX } = getComputedStyle(each)
          const isCut = overflowX !== 'visible' && each.scrollWidth > each.clientWidth + 1
          return isCut || left < outer.left - 1 || right > outer.right + 1
        })
        .map((each) => each.outerHTML.slice(0, 200))
    }, change)
    expect(lost).toEqual([])
    const close = page.getByRole('button', { name: 'Sohbeti kapat' })
    await expect(close).toBeInViewport({ ratio: 1 })
    await expect(widget.input).toBeInViewport({ ratio: 0.9 })
    await widget.panel.locator('.form .submit').scrollIntoViewIfNeeded()
    await expect(widget.panel.locator('.form .submit')).toBeInViewport()
  })
}
