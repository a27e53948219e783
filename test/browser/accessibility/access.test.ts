import type { Page } from '@playwright/test'
import { axeOn, expect, pageWith, tag, test } from '../fixtures.ts'
import { listen } from '../streams.ts'

// Reduced motion: an animated element has no fixed place and no fixed color.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Every rule that axe has, on the whole page. */
async function accessFaults(page: Page): Promise<string[]> {
  const { violations } = await axeOn(page).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

test('gives a page no fault that axe knows, closed or open', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.goto(site.serve(pageWith(tag(product))))
  await expect(widget.launcher).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  await widget.open()
  expect(await accessFaults(page)).toEqual([])
})

test('serves who has only a keyboard', async ({ page, product, site, widget }) => {
  await page.goto(site.serve(pageWith(tag(product))))
  await expect(widget.launcher).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'More' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(widget.launcher).toBeFocused()
  await expect(widget.launcher).toHaveAttribute('aria-expanded', 'false')
  await expect(widget.launcher).toHaveAttribute('aria-haspopup', 'dialog')

  await page.keyboard.press('Enter')
  await expect(widget.input).toBeFocused()
  await expect(widget.launcher).toHaveAttribute('aria-expanded', 'true')
  await expect(widget.panel).toHaveAccessibleName('Fincan')
  await page.keyboard.type('Kargo ücreti')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('ne kadar?')
  await expect(widget.input).toHaveValue('Kargo ücreti\nne kadar?')
  await page.keyboard.press('Enter')
  await expect(widget.answers).toContainText('79 TL')
  await expect(widget.input).toBeFocused()

  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const isInside = () => page.evaluate(() => document.activeElement?.localName === 'sohbet-widget')
  expect(await isInside()).toBe(false)

  await widget.input.focus()
  await page.keyboard.press('Escape')
  await expect(widget.panel).toBeHidden()
  await expect(widget.launcher).toBeFocused()
  await page.keyboard.press('Space')
  await expect(widget.input).toBeFocused()
})

test('reads an answer once, in whole sentences', async ({ page, widget }) => {
  await widget.visit()
  const said = await listen(page)
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toContainText('79 TL')
  const answer = await widget.answers.locator('.bubble').innerText()
  const [typing, ...sentences] = await said()
  expect(typing).toBe('Yanıt yazılıyor')
  expect(sentences.every((sentence) => /[.!?:]$/.test(sentence))).toBe(true)
  const plain = (text: string) => text.replace(/^Fincan:/, '').replaceAll(/\s/g, '')
  expect(plain(sentences.join(''))).toBe(plain(answer))
})

test('can be read in every tenant color, in light and in dark', async ({ page, widget }) => {
  await widget.visit()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toContainText('79 TL')
  const colors = ['#ffffff', '#000000', '#ffff00', '#00ff00', '#0000ff', '#ff0000', '#777777']
  const more = ['#ff00ff', '#00ffff', '#f59e0b', '#7c3aed', '#0f766e', '#fde68a', '#111827']
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const color of [...colors, ...more]) {
      const min = await contrasts(page, color)
      expect(min.bubble, `message on ${color}, ${colorScheme}`).toBeGreaterThanOrEqual(4.5)
      expect(min.link, `link of ${color}, ${colorScheme}`).toBeGreaterThanOrEqual(4.5)
      expect(min.head, `head of ${color}, ${colorScheme}`).toBeGreaterThanOrEqual(4.5)
      expect(min.fill, `button of ${color}, ${colorScheme}`).toBeGreaterThanOrEqual(3)
      expect(min.edge, `input and focus, ${color}, ${colorScheme}`).toBeGreaterThanOrEqual(3)
    }
  }
})

/** Contrast as it is painted: each color is drawn and read back. */
async function contrasts(
  page: Page,
  color: string,
): Promise<{ bubble: number; link: number; head: number; fill: number; edge: number }> {
  return page.evaluate((tenantColor) => {
    const host = document.querySelector<HTMLElement>('sohbet-widget')
    const root = host?.shadowRoot
    if (!host || !root) throw new Error('There is no widget.')
    host.style.setProperty('--sohbet-color', tenantColor)
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    const luminance = (painted: string) => {
      if (!canvas) return 0
      canvas.fillStyle = painted
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map(
        (channel) =>
          channel <= 10 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const contrast = (one: string, other: string) => {
      const ratio = (luminance(one) + 0.05) / (luminance(other) + 0.05)
      return Math.max(ratio, 1 / ratio)
    }
    const styleOf = (selector: string) => {
      const element = root.querySelector(selector)
      if (!element) throw new Error(selector)
      return getComputedStyle(element)
    }
    const visitor = styleOf('.visitor .bubble')
    const surface = styleOf('.composer').backgroundColor
    const raised = styleOf('.assistant .bubble').backgroundColor
    const link = styleOf('.sources a').color
    // The head lies on a gradient; where it begins there is the most of the tenant's color.
    const [head = surface] =
      /(?:color|oklab|rgb)\([^)]+\)/.exec(styleOf('.panel').backgroundImage) ?? []
    const edge = styleOf('.composer textarea').borderTopColor
    return {
      bubble: contrast(visitor.backgroundColor, visitor.color),
      link: Math.min(contrast(link, surface), contrast(link, raised)),
      head: Math.min(...['.head p', 'h2'].map((text) => contrast(head, styleOf(text).color))),
      fill: contrast(visitor.backgroundColor, surface),
      edge: Math.min(contrast(edge, surface), contrast(link, head)),
    }
  }, color)
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('fills the screen and keeps the page behind out of reach', async ({
    page,
    product,
    site,
    widget,
  }) => {
    await page.goto(site.serve(pageWith(tag(product))))
    await widget.launcher.tap()
    await expect(widget.input).toBeFocused()
    await expect(widget.panel).toHaveAttribute('aria-modal', 'true')
    expect(await widget.panel.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
    expect(await page.evaluate(() => document.body.inert)).toBe(true)
    const size = await widget.input.evaluate((input) => getComputedStyle(input).fontSize)
    expect(size).toBe('16px')

    await widget.panel.getByRole('button', { name: 'Sohbeti kapat' }).tap()
    await expect(widget.panel).toBeHidden()
    expect(await page.evaluate(() => document.body.inert)).toBe(false)
    await expect(widget.launcher).toBeFocused()
  })
})
