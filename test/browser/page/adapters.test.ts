import { expect, pageWith, type Product, strictPolicy, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** The one line that changes on a page which was written for another widget. */
function adapter(product: Product, name: string, way = 'async'): string {
  return `<script src="${product.url}/adapters/${name}.js" data-tenant="demo" nonce="page" ${way}></script>`
}

const scripted = (code: string): string => `<script nonce="page">${code}</script>`

test('does what a page asks of Intercom', async ({ page, product, site, widget, faults }) => {
  // The stub of their snippet, which keeps calls until the script has loaded.
  const stub = `
    window.heard = []
    window.intercomSettings = { app_id: 'abc', name: 'Ayşe', email: 'ayse@example.com' };
    (function () {
      var i = function () { i.c(arguments) }
      i.q = []; i.c = function (args) { i.q.push(args) }
      window.Intercom = i
    })()
    Intercom('onShow', () => heard.push('shown'))
    Intercom('onHide', () => heard.push('hidden'))
    Intercom('onUnreadCountChange', (count) => heard.push(count))`
  const policy = strictPolicy(product)
  await page.goto(site.serve(pageWith(scripted(stub) + adapter(product, 'intercom')), policy))
  await expect(widget.launcher).toBeVisible()
  await page.evaluate(`Intercom('showNewMessage', 'Kargo ücreti ne kadar?')`)
  await expect(widget.input).toHaveValue('Kargo ücreti ne kadar?')
  const hidden = Promise.withResolvers<undefined>()
  // The answer counts as unread only if it comes after the panel is hidden.
  await page.route('**/chatbot/message', async (route) => {
    await hidden.promise
    await route.continue()
  })
  await widget.input.press('Enter')
  await page.evaluate(`Intercom('hide')`)
  await expect(widget.panel).toBeHidden()
  hidden.resolve(undefined)
  await expect.poll(() => page.evaluate('heard')).toEqual(['shown', 'hidden', 1])
  await page.evaluate(`Intercom('show')`)
  await expect(widget.answers).toHaveCount(1)
  await expect.poll(() => page.evaluate('heard.at(-1)')).toBe(0)
  await page.evaluate(`Intercom('update', { hide_default_launcher: true })`)
  await expect(widget.launcher).toBeHidden()

  // A visitor who signs out leaves nothing for the next one.
  await page.evaluate(`Intercom('shutdown')`)
  await expect(page.locator('sohbet-widget')).toHaveCount(0)
  await expect.poll(() => page.evaluate('Object.keys(localStorage)')).toEqual([])
  await page.evaluate(`Intercom('boot', { app_id: 'abc', hide_default_launcher: false })`)
  await widget.open()
  await expect(widget.answers).toHaveCount(0)
  expect(faults).toEqual([])
})

test('does what a page asks of Crisp', async ({ page, product, site, widget, faults }) => {
  const queue = `
    window.heard = []
    window.$crisp = []; window.CRISP_WEBSITE_ID = 'abc'
    window.CRISP_READY_TRIGGER = () => heard.push('ready')
    $crisp.push(['set', 'user:email', ['ayse@example.com']])
    $crisp.push(['set', 'user:nickname', ['Ayşe']])
    $crisp.push(['on', 'chat:opened', () => heard.push('opened')])
    $crisp.push(['on', 'message:sent', ({ content }) => heard.push(content)])
    $crisp.push(['on', 'message:received', ({ from }) => heard.push(from)])
    $crisp.push(['do', 'chat:open'])`
  const policy = strictPolicy(product)
  await page.goto(site.serve(pageWith(scripted(queue) + adapter(product, 'crisp')), policy))
  await expect(widget.panel).toBeVisible()
  await page.evaluate(`$crisp.push(['do', 'message:send', ['text', 'Kargo ücreti ne kadar?']])`)
  await expect(widget.answers).toHaveCount(1)
  await expect
    .poll(() => page.evaluate('heard'))
    .toEqual(['ready', 'opened', 'Kargo ücreti ne kadar?', 'operator'])
  const states = `['chat:opened', 'chat:visible', 'session:ongoing'].map((name) => $crisp.is(name))`
  expect(await page.evaluate(states)).toEqual([true, true, true])
  expect(await page.evaluate(`$crisp.get('user:email')`)).toBe('ayse@example.com')
  await page.evaluate(`$crisp.push(['set', 'message:text', ['Peki']])`)
  await expect(widget.input).toHaveValue('Peki')
  await page.evaluate(`$crisp.push(['do', 'chat:close'], ['do', 'chat:hide'])`)
  await expect(widget.launcher).toBeHidden()
  await page.evaluate(`$crisp.push(['do', 'session:reset'], ['do', 'chat:show'])`)
  await widget.open()
  await expect(widget.answers).toHaveCount(0)
  expect(faults).toEqual([])
})

test('does what a page asks of Chatwoot', async ({ page, product, site, widget, faults }) => {
  const settings = `
    window.heard = []
    window.chatwootSettings = { position: 'left', locale: 'en', darkMode: 'dark' }
    addEventListener('chatwoot:ready', () => {
      heard.push('ready')
      $chatwoot.setUser('customer-7', { name: 'Ayşe', email: 'ayse@example.com' })
      $chatwoot.toggle('open')
    })
    addEventListener('chatwoot:on-message', ({ detail }) => heard.push(detail.content))`
  const policy = strictPolicy(product)
  await page.goto(site.serve(pageWith(scripted(settings) + adapter(product, 'chatwoot')), policy))
  await expect(widget.panel).toBeVisible()
  await expect(widget.panel).toHaveAttribute('lang', 'en')
  expect((await widget.launcher.boundingBox())?.x).toBe(20)
  await widget.ask('Do you ship to the United Kingdom?')
  await expect(widget.answers).toHaveCount(1)
  const heard = await page.evaluate<string[]>('heard')
  expect(heard.slice(0, 2)).toEqual(['ready', 'Do you ship to the United Kingdom?'])
  expect(heard[2]).toContain('United Kingdom')
  expect(await page.evaluate('$chatwoot.isOpen && $chatwoot.hasLoaded')).toBe(true)
  await page.evaluate(`$chatwoot.toggle(); $chatwoot.toggleBubbleVisibility('hide')`)
  await expect(widget.panel).toBeHidden()
  await expect(widget.launcher).toBeHidden()
  await page.evaluate(`$chatwoot.reset(); $chatwoot.toggleBubbleVisibility('show')`)
  await page.evaluate(`$chatwoot.setLocale('tr'); $chatwoot.toggle('open')`)
  await expect(widget.panel).toHaveAttribute('lang', 'tr')
  await expect(widget.answers).toHaveCount(0)
  expect(faults).toEqual([])
})

test('does what a page asks of tawk.to', async ({ page, product, site, widget, faults }) => {
  const callbacks = `
    window.heard = []
    var Tawk_API = Tawk_API || {}, Tawk_LoadStart = new Date()
    Tawk_API.visitor = { name: 'Ayşe', email: 'ayse@example.com' }
    Tawk_API.onLoad = () => { heard.push('load'); Tawk_API.maximize() }
    Tawk_API.onChatMaximized = () => heard.push('maximized')
    Tawk_API.onChatMinimized = () => heard.push('minimized')
    Tawk_API.onChatMessageVisitor = (message) => heard.push(message)`
  const policy = strictPolicy(product)
  await page.goto(site.serve(pageWith(scripted(callbacks) + adapter(product, 'tawk')), policy))
  await expect(widget.panel).toBeVisible()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  expect(await page.evaluate('Tawk_API.isChatMaximized() && Tawk_API.isChatOngoing()')).toBe(true)
  await page.evaluate('Tawk_API.toggle()')
  await expect(widget.panel).toBeHidden()
  expect(await page.evaluate('heard')).toEqual([
    'load',
    'maximized',
    'Kargo ücreti ne kadar?',
    'minimized',
  ])
  await page.evaluate('Tawk_API.hideWidget()')
  await expect(widget.launcher).toBeHidden()
  await page.evaluate('Tawk_API.toggleVisibility()')
  await expect(widget.launcher).toBeVisible()
  await page.evaluate(`Tawk_API.setAttributes({ name: 'Ada' }, () => heard.push('set'))`)
  expect(await page.evaluate('heard.at(-1)')).toBe('set')
  expect(faults).toEqual([])
})

test('does what a page asks of Zendesk, messaging and classic', async ({
  page,
  product,
  site,
  widget,
  faults,
}) => {
  // Their snippet is no async script: the calls stand below it.
  const calls = `
    window.heard = []
    zE('messenger:on', 'open', () => heard.push('opened'))
    zE('messenger:on', 'close', () => heard.push('closed'))
    zE('webWidget:on', 'open', () => heard.push('opened too'))
    zE('webWidget', 'prefill', { name: { value: 'Ayşe' }, email: { value: 'ayse@example.com' } })
    zE('messenger', 'open')
    zE(() => heard.push('there'))`
  const body = adapter(product, 'zendesk', 'id="ze-snippet"') + scripted(calls)
  await page.goto(site.serve(pageWith(body), strictPolicy(product)))
  await expect(widget.panel).toBeVisible()
  await page.evaluate(`zE('webWidget', 'chat:send', 'Kargo ücreti ne kadar?')`)
  await expect(widget.answers).toHaveCount(1)
  expect(await page.evaluate(`zE('webWidget:get', 'chat:isChatting')`)).toBe(true)
  await page.evaluate(`zE('webWidget', 'toggle')`)
  await expect(widget.panel).toBeHidden()
  expect(await page.evaluate('heard')).toEqual(['there', 'opened', 'opened too', 'closed'])
  await page.evaluate(`zE('messenger', 'hide')`)
  await expect(widget.launcher).toBeHidden()
  await page.evaluate(`zE('messenger', 'show'); zE('messenger', 'logoutUser'); zE.activate()`)
  await expect(widget.panel).toBeVisible()
  await expect(widget.answers).toHaveCount(0)
  expect(faults).toEqual([])
})

test('says once what another widget can do and this one cannot', async ({
  page,
  product,
  site,
  faults,
}) => {
  const code = `$crisp.push(['do', 'helpdesk:search'], ['do', 'helpdesk:search'])`
  const queue = scripted(`window.$crisp = []; ${code}`)
  await page.goto(site.serve(pageWith(queue + adapter(product, 'crisp'))))
  await expect(page.locator('sohbet-widget')).toHaveCount(1)
  expect(faults).toEqual(['Sohbet: not supported: helpdesk:search'])
})
