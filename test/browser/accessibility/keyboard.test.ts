import type { Page } from '@playwright/test'
import { expect, pageWith, tag, test } from '../fixtures.ts'
import { holdAnswer } from '../streams.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** The focused element, inside the widget where the focus is there. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
    return `${inner?.localName} ${inner?.className}`.trim()
  })

test('has the focus in its input in the moment in which it is seen', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.goto(site.serve(pageWith(tag(product))))
  await expect(widget.launcher).toBeVisible()
  await page.evaluate(() => {
    const root = document.querySelector('sohbet-widget')?.shadowRoot
    const look = () => {
      const panel = root?.querySelector<HTMLElement>('.panel')
      const isSeen = panel?.checkVisibility({ visibilityProperty: true })
      if (!isSeen) return requestAnimationFrame(look)
      return Object.assign(window, { first: root?.activeElement?.localName })
    }
    look()
  })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(widget.panel).toBeVisible()
  await page.waitForFunction('window.first')
  expect(await page.evaluate('window.first')).toBe('textarea')
  await expect(widget.panel).toHaveAttribute('aria-modal', 'false')
})

test('closes by Escape from every control, a menu first, and gives the focus back', async ({
  page,
  widget,
}) => {
  await widget.begin()
  await widget.menu('İletişim bilgisi bırak')
  await expect(widget.panel.getByLabel('Adınız soyadınız')).toBeFocused()
  const controls = widget.panel.locator('button, a, input, textarea, [tabindex="0"]')
  const count = await controls.count()
  expect(count).toBeGreaterThan(10)
  for (let at = 0; at < count; at++) {
    await controls.nth(at).focus()
    await page.keyboard.press('Escape')
    await expect(widget.panel).toBeHidden()
    await expect(widget.launcher).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(widget.input).toBeFocused()
  }

  const button = widget.panel.getByRole('button', { name: 'Diğer seçenekler' })
  await button.focus()
  await page.keyboard.press('Enter')
  const menu = widget.panel.getByRole('menu', { name: 'Diğer seçenekler' })
  await expect(menu.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(menu.getByRole('menuitemcheckbox').last()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(button).toBeFocused()
  await expect(widget.panel).toBeVisible()
})

test('sends nothing while a word is composed, and keeps what is written', async ({
  page,
  widget,
}) => {
  await widget.visit()
  await expect(widget.panel.getByRole('textbox', { name: 'Mesajınız' })).toBeFocused()
  const browser = await page.context().newCDPSession(page)
  await browser.send('Input.imeSetComposition', {
    text: 'にほん',
    selectionStart: 3,
    selectionEnd: 3,
  })
  await page.keyboard.press('Enter')
  // Safari reports the Enter that ends a composition like this.
  await widget.input.evaluate((input) =>
    input.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, composed: true }),
    ),
  )
  await browser.send('Input.insertText', { text: '日本' })
  await expect(widget.input).toHaveValue(/日本/)
  await expect(widget.panel.locator('[part=visitor]')).toHaveCount(0)

  const draft = await widget.input.inputValue()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expect(widget.input).toHaveValue(draft)
})

test('keeps a draft over closing, a reload and another page', async ({
  page,
  product,
  site,
  widget,
}) => {
  const address = site.serve(pageWith(tag(product)))
  await page.goto(address)
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  await widget.input.fill('Peki ya')
  await page.evaluate('Sohbet.close()')
  await page.reload()
  await widget.open()
  await expect(widget.input).toHaveValue('Peki ya')
  await page.goto(`${address}cups`)
  await widget.open()
  await expect(widget.input).toHaveValue('Peki ya')
})

test('shows what has the focus, and never under its head or its input', async ({
  page,
  widget,
}) => {
  await page.setViewportSize({ width: 1_000, height: 520 })
  await widget.begin()
  const answer = await holdAnswer(page)
  await widget.ask('Peki?')
  const links = Array.from(
    { length: 12 },
    (_each, at) => `[Sayfa ${at}](https://example.com/${at})`,
  )
  await answer.finish({ content: links.join('\n\n'), quick_replies: ['Bir', 'İki'] })
  await expect(widget.answers).toHaveCount(2)
  const replies = widget.panel.getByRole('group', { name: 'Önerilen sorular' })
  await expect(replies.getByRole('button')).toHaveCount(2)
  await widget.menu('İletişim bilgisi bırak')
  await expect(widget.panel.getByLabel('Adınız soyadınız')).toBeFocused()

  const visible = () =>
    widget.panel.evaluate((panel) => {
      const root = panel.getRootNode()
      const element = root instanceof ShadowRoot ? root.activeElement : undefined
      const middle = panel.querySelector('.middle')?.getBoundingClientRect()
      if (!element || !middle) return undefined
      const { top, bottom, height } = element.getBoundingClientRect()
      const { outlineStyle, borderStyle } = getComputedStyle(element)
      const isInside = element.closest('.scroller') !== null && height < middle.height
      const isClear = !isInside || (top >= middle.top - 1 && bottom <= middle.bottom + 1)
      return isClear && (outlineStyle !== 'none' || borderStyle !== 'none')
    })
  await widget.panel.locator('.more').focus()
  let steps = 0
  for (; (await focused(page)) !== 'button send round'; steps++) {
    await page.keyboard.press('Tab')
    expect(await visible(), await focused(page)).toBe(true)
  }
  expect(steps).toBeGreaterThan(15)
  for (; (await focused(page)) !== 'button more round'; steps--) {
    await page.keyboard.press('Shift+Tab')
    expect(await visible(), await focused(page)).toBe(true)
  }
})

test('ties the errors of its form to their fields, which name what they are for', async ({
  page,
  widget,
}) => {
  await widget.visit()
  await widget.menu('İletişim bilgisi bırak')
  const form = widget.panel.getByRole('form', { name: 'İletişim bilgileriniz' })
  await expect(form.getByLabel('Adınız soyadınız')).toBeFocused()
  await page.keyboard.press('Enter')
  for (const [label, autocomplete] of [
    ['Adınız soyadınız', 'name'],
    ['Telefon', 'tel'],
    ['E-posta', 'email'],
  ] as const) {
    const field = form.getByLabel(label)
    await expect(field).toHaveAttribute('autocomplete', autocomplete)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription('Lütfen bu alanı doldurun.')
  }
  await form.getByRole('button', { name: 'Şimdi değil' }).click()
  await expect(widget.input).toBeFocused()
  await widget.menu('İletişim bilgisi bırak')
  await expect(form.getByLabel('Telefon')).toHaveAccessibleDescription('')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true })

  test('keeps Tab inside and the page behind where it was', async ({
    page,
    product,
    site,
    widget,
  }) => {
    const tall = '<div style="height:3000px"></div>'
    await page.goto(site.serve(pageWith(tall + tag(product))))
    await page.evaluate(() => scrollTo(0, 300))
    await widget.launcher.tap()
    await expect(widget.input).toBeFocused()
    const seen = new Set<string>()
    for (let at = 0; at < 12; at++) {
      await page.keyboard.press('Tab')
      seen.add(await focused(page))
    }
    expect([...seen].filter((each) => each.startsWith('a '))).toEqual([])
    expect(seen).toContain('button close round')
    expect(seen).toContain('textarea')
    await page.mouse.wheel(0, 500)
    await page.touchscreen.tap(200, 300)
    expect(await page.evaluate(() => scrollY)).toBe(300)
    await page.evaluate('Sohbet.close()')
    await expect(widget.launcher).toBeFocused()
    expect(await page.evaluate(() => scrollY)).toBe(300)
  })

  test('keeps its input above the keyboard of the phone', async ({
    page,
    product,
    site,
    widget,
  }) => {
    await page.goto(site.serve(pageWith(tag(product))))
    await widget.launcher.tap()
    await expect(widget.input).toBeFocused()
    // On iOS the page keeps its height, and the visual viewport shrinks.
    await page.evaluate(() => {
      if (!visualViewport) throw new Error('There is no visual viewport.')
      Object.defineProperty(visualViewport, 'height', { value: 380 })
      Object.defineProperty(visualViewport, 'offsetTop', { value: 40 })
      visualViewport.dispatchEvent(new Event('resize'))
    })
    expect(await widget.panel.boundingBox()).toEqual({ x: 0, y: 40, width: 390, height: 380 })
    const { y = 0, height = 0 } = (await widget.input.boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(420)
  })
})
