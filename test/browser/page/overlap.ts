import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'

type Box = { x: number; y: number; width: number; height: number } | null

/** Whether neither lies over the other. */
export const isClear = (one: Box, other: Box): boolean =>
  one !== null &&
  other !== null &&
  (one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y ||
    other.y + other.height <= one.y)

/** Waits until the launcher lies clear of something of the page. */
export async function expectClear(page: Page, selector: string): Promise<void> {
  const launcher = page.locator('sohbet-widget [part=launcher]').first()
  await expect
    .poll(async () =>
      isClear(await launcher.boundingBox(), await page.locator(selector).boundingBox()),
    )
    .toBe(true)
}

/** A consent banner along the lower edge. */
export const BANNER =
  '<div id="banner" style="position:fixed;bottom:0;left:0;right:0;height:90px"></div>'
