import { axeOn, expect, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('sends a file to the team, and opens it again', async ({ page, product, widget }) => {
  const take = (attachments: boolean) =>
    product.ask('/api/v1/tenants/demo', { attachments }, 'PATCH')
  await take(true)
  try {
    await widget.begin()
    const attach = widget.panel.getByLabel('Dosya gönder')
    await attach.setInputFiles({ name: 'fincan.png', mimeType: 'image/png', buffer: PIXEL })
    await expect(widget.panel.locator('[part=visitor]').last()).toContainText('fincan.png')
    await expect(widget.answers.last()).toContainText('dosyanız ekibimize ulaştı')
    const download = page.waitForEvent('download')
    await widget.panel
      .getByRole('list', { name: 'Dosyalar' })
      .getByRole('button', { name: 'fincan.png' })
      .click()
    expect((await download).suggestedFilename()).toBe('fincan.png')
    const wrong = { name: 'fincan.png', mimeType: 'image/png', buffer: Buffer.from('<script>') }
    await attach.setInputFiles(wrong)
    await expect(widget.panel.getByRole('alert')).toContainText('resim veya PDF')
    expect((await axeOn(page).analyze()).violations).toEqual([])
  } finally {
    await take(false)
  }
})
