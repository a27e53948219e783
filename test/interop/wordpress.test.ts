import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Browser, type Page, chromium } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Identity } from '../../server/chat/schema.ts'
import { describeOnDatabase } from '../helpers/databases.ts'
import { type TestWorkspace, addDocument, addWorkspace } from '../helpers/product.ts'
import { useProduct, useStarted } from '../helpers/use-product.ts'
import { startWordPress } from './wordpress-site.ts'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const PASSWORD = 'correct horse battery staple 7'
const SETTINGS = '/wp-admin/options-general.php?page=sohbet'

describeOnDatabase('the plugin for WordPress', (database) => {
  const product = useProduct(database)
  const site = useStarted(startWordPress)
  let own: TestWorkspace
  let secret: string
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    own = await addWorkspace(product)
    await addDocument(product, own, { title: 'Hours', content: 'We open at nine on Mondays.' })
    const shown = await product.call<{ identity_secret: string }>(
      `/api/v1/tenants/${own.tenantId}/identity-secret`,
      { token: own.token },
    )
    secret = shown.body.identity_secret
    const { stdout } = await promisify(execFile)(process.execPath, [
      'integrations/wordpress/build.ts',
    ])
    await site().addPlugin(stdout.trim())
    const { TEST_CHROMIUM } = process.env
    browser = await chromium.launch({
      args: FLAGS,
      ...(TEST_CHROMIUM === undefined ? {} : { executablePath: TEST_CHROMIUM }),
    })
    page = await browser.newPage({ locale: 'en' })
    page.setDefaultTimeout(15_000)
    page.on('pageerror', (error) => complaints.push(error.message))
    await install()
  })
  afterAll(() => browser.close())

  const open = async (path: string) => {
    await page.goto(site().url + path)
    // PHP prints its warnings into the page; those of WordPress itself are not ours.
    expect(warningOf(await page.content())).toBeUndefined()
  }

  /** Goes through WordPress's own installation and signs in. */
  async function install(): Promise<void> {
    await open('/wp-admin/install.php')
    const language = page.locator('#language-continue')
    if (await language.isVisible()) await language.click()
    await page.locator('#weblog_title').fill('Shop')
    await page.locator('#user_login').fill('ayse')
    await page.locator('#pass1').fill(PASSWORD)
    await page.locator('#admin_email').fill('ayse@example.com')
    await page.locator('#submit').click()
    await page.getByText('Success!').waitFor()
    await signIn()
  }

  async function signIn(): Promise<void> {
    await open('/wp-login.php')
    await page.locator('#user_login').fill('ayse')
    await page.locator('#user_pass').fill(PASSWORD)
    await page.locator('#wp-submit').click()
    await page.locator('#wpadminbar').waitFor()
  }

  async function save(fields: Record<string, string>, choices: Record<string, string> = {}) {
    await open(SETTINGS)
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(text)
    for (const [label, value] of Object.entries(choices)) {
      await page.getByLabel(label, { exact: true }).selectOption(value)
    }
    await page.locator('#submit').click()
  }

  const warningOf = (html: string) => /.*plugins\/sohbet\/\S+\.php<\/b> on line.*/.exec(html)?.[0]

  const options = () =>
    site().query(
      "select option_name, autoload from wordpress.wp_options where option_name like '%sohbet%' order by 1",
    )

  /** Writes as a visitor does, and returns the conversation's id. */
  async function converse(): Promise<string> {
    const widget = page.locator('sohbet-widget')
    await widget.locator('[part=launcher]').click()
    await widget.getByRole('textbox').fill('When do you open?')
    await widget.getByRole('textbox').press('Enter')
    await widget.getByText('at nine on Mondays').first().waitFor()
    return (await storedSession()) ?? ''
  }

  const storedSession = () =>
    page.evaluate((name) => localStorage.getItem(name), `sohbet:${own.tenantId}:session`)

  /** Returns whom the team sees in a conversation. */
  async function identityOf(session: string): Promise<Identity | null> {
    const inbox = await product.call<{ identity: Identity | null }>(`/api/v1/inbox/${session}`, {
      token: own.token,
    })
    return inbox.body.identity
  }

  test('is activated, and says what is missing', async () => {
    await open('/wp-admin/plugins.php')
    await page.locator('#activate-sohbet').click()
    await page.locator('#deactivate-sohbet').waitFor()
    await open('/')
    expect(await page.content()).not.toContain('widget.js')

    await save({ 'Site id': 'No Site', Address: 'chat.example' })
    expect(await page.locator('.notice-error').allInnerTexts()).toEqual([
      expect.stringContaining('3 to 40 lower-case letters'),
      expect.stringContaining('begins with https://'),
    ])
    expect(await page.getByLabel('Site id').inputValue()).toBe('No Site')
    expect(await options()).toEqual([])
  })

  test('is set up, and the conversation is held with a stranger', async () => {
    await save({ 'Site id': own.tenantId, Address: `${product.url}/` }, { Position: 'left' })
    await page.getByText(`Connected with the site ${own.tenantId}.`).waitFor()
    await open('/')
    const tag = page.locator('#sohbet-js')
    expect(await tag.evaluate((element) => element.outerHTML)).toBe(
      `<script async="" data-tenant="${own.tenantId}" data-theme="auto" data-position="left" src="${product.url}/widget.js" id="sohbet-js"></script>`,
    )
    expect(await identityOf(await converse())).toBeNull()
  })

  test('presents who is signed in, and forgets them when they sign out', async () => {
    await open(SETTINGS)
    await page.getByLabel('Tell the team').check()
    await page.locator('#submit').click()
    await page.getByText('the identity secret is missing').waitFor()
    await page.getByLabel('Identity secret').fill(secret)
    await page.locator('#submit').click()
    await page.getByText('Settings saved.').waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await options()).toEqual(['sohbet_identity_secret\tno', 'sohbet_settings\tyes'])

    await open('/')
    await page.evaluate(() => localStorage.clear())
    await open('/')
    expect(await page.content()).not.toContain(secret)
    const session = await converse()
    await expect
      .poll(() => identityOf(session))
      .toMatchObject({
        name: 'ayse',
        email: 'ayse@example.com',
        subject: '1',
        is_verified: true,
      })

    await open(SETTINGS)
    await page.goto((await page.locator('#wp-admin-bar-logout a').getAttribute('href')) ?? '')
    await open('/')
    await expect.poll(storedSession).toBeNull()
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain(
      'sohbet_signed_out',
    )
    expect(await page.content()).not.toContain('identify')
    await signIn()
  })

  const addPage = (id: number, text: string) =>
    site().query(
      `insert into wordpress.wp_posts (ID, post_author, post_title, post_name, post_type, post_status, post_content, post_date, post_date_gmt, post_modified, post_modified_gmt, post_excerpt, to_ping, pinged, post_content_filtered)
       values (${id}, 1, 'Help', 'help-${id}', 'page', 'publish', '${text}', now(), now(), now(), now(), '', '', '', '')`,
    )

  test('has a shortcode and a block that open the chat', async () => {
    const texts = [
      '[sohbet_chat display="button" text="Ask <b>us</b>"]',
      '<!-- wp:sohbet/chat {"display":"button","text":"Talk to us"} /-->',
    ]
    for (const [index, text] of texts.entries()) {
      await addPage(900 + index, text)
      await open(`/?page_id=${900 + index}`)
      const link = page.locator('a.sohbet-chat')
      expect(await link.getAttribute('href')).toBe(`${product.url}/chat/${own.tenantId}`)
      expect(await link.innerText()).toBe(['Ask <b>us</b>', 'Talk to us'][index])
      await page.waitForFunction('typeof Sohbet.open === "function"')
      await link.click()
      await page.locator('sohbet-widget').getByRole('textbox').waitFor()
    }
    await open('/wp-admin/post.php?post=901&action=edit')
    const frame = page.locator('.wp-block-sohbet-chat')
    await frame.getByText('Talk to us').waitFor()
  })

  test('has a shortcode and a block with the chat in the page', async () => {
    await product.call(`/api/v1/tenants/${own.tenantId}`, {
      method: 'PATCH',
      token: own.token,
      body: { allowed_origins: [site().url] },
    })
    await addPage(910, '[sohbet_chat height="99999"]')
    await addPage(911, '<!-- wp:sohbet/chat {"height":700} /-->')
    for (const [id, height] of [
      [910, 1500],
      [911, 700],
    ] as const) {
      await open(`/?page_id=${id}`)
      const element = page.locator('iframe.sohbet-chat-page')
      expect(await element.evaluate(({ clientHeight }) => clientHeight)).toBe(height)
      await element.scrollIntoViewIfNeeded()
      const chat = page.frameLocator('iframe.sohbet-chat-page')
      await chat.locator('textarea').fill('When do you open?')
      await chat.locator('.composer button').click()
      await chat.getByText('at nine on Mondays').first().waitFor()
    }
    await open('/wp-admin/post.php?post=911&action=edit')
    await page.locator('.wp-block-sohbet-chat').getByText('The chat appears here.').waitFor()
  })

  test('stays away from pages, and waits for consent', async () => {
    await save({ Paths: '/secret*\n/' }, { Pages: 'except' })
    await page.getByText('Settings saved.').waitFor()
    await open('/')
    expect(await page.locator('#sohbet-js').count()).toBe(0)
    await open('/other')
    expect(await page.locator('#sohbet-js').count()).toBe(1)

    await save({}, { Pages: 'all', Consent: 'functional' })
    await page.getByText('nobody sees the chat').waitFor()
    await open('/')
    const tag = page.locator('script[src$="/widget.js"]')
    expect(await tag.count()).toBe(0)
    // What the plugin WP Consent API promises to others, for a visitor who has not decided.
    await page.evaluate(() => {
      const consents = new Set()
      Object.assign(window, {
        wp_has_consent: (category: string) => consents.has(category),
        decide(category: string, value: 'allow' | 'deny') {
          consents[value === 'allow' ? 'add' : 'delete'](category)
          const detail = { [category]: value }
          document.dispatchEvent(new CustomEvent('wp_listen_for_consent_change', { detail }))
        },
      })
    })
    await page.evaluate('decide("marketing", "allow")')
    expect(await tag.count()).toBe(0)
    await page.evaluate('decide("functional", "allow")')
    await page.locator('sohbet-widget').waitFor()
    expect(await tag.getAttribute('data-position')).toBe('left')
    await page.evaluate('decide("functional", "deny")')
    await expect.poll(() => page.locator('sohbet-widget').count()).toBe(0)
  })

  test('speaks Turkish', async () => {
    const locale = (name: string) =>
      site().query(
        `insert into wordpress.wp_options (option_name, option_value) values ('WPLANG', '${name}') on duplicate key update option_value = '${name}'`,
      )
    await locale('tr_TR')
    await open(SETTINGS)
    expect(await page.locator('.form-table th').allInnerTexts()).toEqual([
      'Site kimliği',
      'Adres',
      'Görünüm',
      'Konum',
      'Dil',
      'Sayfalar',
      'Yollar',
      'Onay',
      'Giriş yapmış ziyaretçiler',
    ])
    await locale('')
  })

  test('refuses settings without a nonce, and of people who may not change them', async () => {
    const form = { 'sohbet[tenant]': 'another', 'sohbet[address]': 'https://other.example' }
    const forged = await page.request.post(site().url + SETTINGS, { form })
    expect(forged.status()).toBe(403)
    const stranger = await browser.newContext()
    const refused = await stranger.request.post(site().url + SETTINGS, { form })
    expect(refused.url()).toContain('wp-login.php')
    await stranger.close()
    await open(SETTINGS)
    expect(await page.getByLabel('Site id').inputValue()).toBe(own.tenantId)
  })

  test('leaves nothing when it is deleted', async () => {
    page.on('dialog', (dialog) => void dialog.accept())
    await open('/wp-admin/plugins.php')
    await page.locator('#deactivate-sohbet').click()
    await page.locator('#delete-sohbet').click()
    await page.getByText('was successfully deleted').waitFor()
    expect(await options()).toEqual([])
    expect(
      await site().query(
        "select meta_key from wordpress.wp_usermeta where meta_key like '%sohbet%'",
      ),
    ).toEqual([])
    await open('/')
    expect(await page.content()).not.toContain('widget.js')
    expect(complaints).toEqual([])
  })
})
