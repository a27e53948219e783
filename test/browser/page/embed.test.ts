import { readFile } from 'node:fs/promises'
import { expect, pageWith, type Product, test, type Widget } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** The code of a section of the page for site owners, as it would be for the product under test. */
async function codeOf(product: Product, section: string, place = 0): Promise<string> {
  const page = await readFile('docs/embed.md', 'utf8')
  const text = page.split('\n## ').find((part) => part.startsWith(`${section}\n`)) ?? ''
  const blocks = [...text.matchAll(/```\w+\n([^]*?)```/g)].map(([, code = '']) => code)
  const code = blocks[place]
  if (code === undefined) throw new Error(`No code in "${section}"`)
  return code.replaceAll('https://chat.example', product.url).replaceAll('my-site', product.tenant)
}

async function expectAnswer(widget: Widget): Promise<void> {
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
}

for (const section of ['Plain HTML', 'Shopify', 'Google Tag Manager'])
  test(`works as documented: ${section}`, async ({ page, product, site, widget, faults }) => {
    await page.goto(site.serve(pageWith(await codeOf(product, section))))
    await expectAnswer(widget)
    expect(faults).toEqual([])
  })

test('works as documented: Next.js', async ({ page, product, site, widget, faults }) => {
  // The component hands its attributes on to a script element.
  const element = await codeOf(product, 'Next.js', 1)
  const written = element.replace('<Script', '<script').replace('/>', '></script>')
  await page.goto(site.serve(pageWith(written)))
  await expectAnswer(widget)
  expect(faults).toEqual([])
})

/** How a framework mounts a component, each time that it is shown. */
const frameworks = {
  React: (source: string) => `
    const mount = () => {
      const useEffect = (begin) => (globalThis.unmount = begin())
      ${source}
      Chat({ tenant: 'demo' })
    }`,
  Vue: (source: string) => `
    const mount = () => {
      const begins = []
      const onMounted = (begin) => begins.push(begin)
      const onBeforeUnmount = (end) => (globalThis.unmount = end)
      ${source}
      for (const begin of begins) begin()
    }`,
}
for (const [name, framework] of Object.entries(frameworks))
  test(`comes and goes with its component, as documented: ${name}`, async ({
    page,
    product,
    site,
    widget,
    faults,
  }) => {
    const source = (await codeOf(product, name))
      .replaceAll(/<\/?(script|template)[^>]*>/g, '')
      .replace(/^ *import .*$/m, '')
      .replace('export ', '')
    await page.goto(site.serve(pageWith(`<script>${framework(source)}</script>`)))
    const hosts = page.locator('sohbet-widget')
    // Strict mode: away again before anything has loaded, and then to stay.
    await page.evaluate('mount(); unmount(); mount()')
    await expectAnswer(widget)
    await expect(hosts).toHaveCount(1)
    await page.evaluate('unmount()')
    await expect(hosts).toHaveCount(0)
    expect(await page.evaluate('typeof Sohbet')).toBe('undefined')

    await page.evaluate('mount()')
    await widget.open()
    await expect(widget.answers).toHaveCount(1)
    expect(faults).toEqual([])
  })

for (const [place, kind] of [
  [0, 'a nonce'],
  [2, 'its address'],
] as const)
  test(`is clean under the documented policy with ${kind}`, async ({
    page,
    product,
    site,
    widget,
    faults,
  }) => {
    const section = 'With a strict content security policy'
    const policy = (await codeOf(product, section, place)).replace('Content-Security-Policy: ', '')
    const pasted = await codeOf(product, section, 1)
    await page.goto(site.serve(pageWith(pasted), policy.trim()))
    await expectAnswer(widget)
    expect(faults).toEqual([])
  })
