import { expect, pageWith, tag, test } from '../fixtures.ts'
import { holdAnswer, listen } from '../streams.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('reads an answer of 200 pieces sentence by sentence, and each sentence once', async ({
  page,
  widget,
}) => {
  await widget.visit()
  const said = await listen(page)
  const answer = await holdAnswer(page)
  await widget.ask('Kargo ücreti ne kadar?')
  // The script that reads is loaded beside the answer.
  await expect.poll(said).toEqual(['Yanıt yazılıyor'])
  const sentences = Array.from({ length: 10 }, (_each, at) => `Bu, ${at + 1} numaralı cümledir.`)
  const content = sentences.join(' ')
  const size = Math.ceil(content.length / 200)
  const pieces = content.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
  for (let at = 0; at < pieces.length; at += 20) await answer.send(...pieces.slice(at, at + 20))
  await answer.finish({ content })
  await expect(widget.answers).toHaveCount(1)
  expect(pieces.length).toBeGreaterThan(100)
  const [typing, ...lines] = await said()
  expect(typing).toBe('Yanıt yazılıyor')
  expect(lines.join(' ').split(/(?<=\.) /)).toEqual(sentences)
  expect(lines.every((line) => line.endsWith('.'))).toBe(true)
  expect(lines.length).toBeLessThanOrEqual(sentences.length)
})

test('reads the first answer also where it comes before what reads it is loaded', async ({
  page,
  widget,
}) => {
  const isAnswered = Promise.withResolvers<void>()
  await page.route('**/continuity.js', async (route) => {
    await isAnswered.promise
    await route.continue()
  })
  await widget.visit()
  const said = await listen(page)
  const answer = await holdAnswer(page)
  await widget.ask('Kargo ücreti ne kadar?')
  await answer.finish({ content: 'Kargo 79 TL. İade **ücretsiz**.' })
  await expect(widget.answers).toHaveCount(1)
  expect(await said()).toEqual([])
  isAnswered.resolve()
  await expect.poll(said).toEqual(['Kargo 79 TL. İade ücretsiz.'])
})

test('leaves the focus and the place of who reads above, and says that something came', async ({
  page,
  widget,
}) => {
  await widget.visit()
  const log = widget.panel.getByRole('log', { name: 'Sohbet' })
  await expect(log).toBeEmpty()
  const long = await holdAnswer(page)
  await widget.ask('Kargo ücreti ne kadar?')
  await long.finish({ content: 'Bir satır.\n\n'.repeat(40) })
  await expect(widget.answers).toHaveCount(1)
  // An answer that is longer than the panel is read from its beginning.
  await expect(widget.panel.getByText('Bir satır.').first()).toBeInViewport()
  await expect(widget.panel.getByText('Bir satır.').last()).not.toBeInViewport()

  const next = await holdAnswer(page)
  await widget.ask('Peki ya iade?')
  await log.focus()
  const scroller = widget.panel.locator('.scroller')
  const top = () => scroller.evaluate(({ scrollTop }) => Math.round(scrollTop))
  const end = await top()
  await page.keyboard.press('PageUp')
  await page.keyboard.press('PageUp')
  // The browser scrolls smoothly: until it stands still.
  let place = end
  await expect
    .poll(async () => {
      const before = place
      place = await top()
      return place < end - 100 && place === before
    })
    .toBe(true)
  await next.finish({ content: 'Otuz gün içinde iade edebilirsiniz.' })
  await expect(widget.answers).toHaveCount(2)
  const news = widget.panel.getByRole('button', { name: 'Yeni mesajlar' })
  await expect(news).toBeVisible()
  await expect(log).toBeFocused()
  expect(await top()).toBe(place)
  await news.click()
  await expect(widget.answers.last()).toBeInViewport({ ratio: 1 })
  await expect(news).toHaveCount(0)
})

test('leaves who reads a long answer at its beginning when the team writes', async ({
  page,
  product,
  widget,
}) => {
  await widget.begin()
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect(widget.panel.locator('.system')).toHaveCount(1)
  const session = await page.evaluate(() => localStorage.getItem('sohbet:demo:session'))
  const inbox = `/api/v1/inbox/${session}`
  await product.ask(`${inbox}/claim`, {})
  await product.ask(`${inbox}/messages`, { text: 'Uzun yanıtımız.\n\n'.repeat(40).trim() })
  await expect(widget.panel.getByText('Uzun yanıtımız.').first()).toBeInViewport()

  await product.ask(`${inbox}/messages`, { text: 'Bir şey daha.' })
  const news = widget.panel.getByRole('button', { name: 'Yeni mesajlar' })
  await expect(news).toBeVisible()
  await expect(widget.panel.getByText('Uzun yanıtımız.').first()).toBeInViewport()
  await news.click()
  await expect(widget.panel.getByText('Bir şey daha.')).toBeInViewport({ ratio: 1 })
  await expect(news).toHaveCount(0)
})

test('says politely, once each, what goes on with people', async ({ page, product, widget }) => {
  await widget.begin()
  await widget.menu('Müşteri temsilcisine bağlan')
  await expect(widget.panel.locator('.system')).toHaveCount(1)
  const said = await listen(page)
  const session = await page.evaluate(() => localStorage.getItem('sohbet:demo:session'))
  await product.ask(`/api/v1/inbox/${session}/claim`, {})
  await expect(widget.panel.locator('.system')).toHaveCount(2)
  const joined = await widget.panel.locator('.system').last().innerText()
  await product.ask(`/api/v1/inbox/${session}/typing`, { is_typing: true })
  await product.ask(`/api/v1/inbox/${session}/typing`, { is_typing: true })
  await expect(widget.panel.locator('.operator .dots')).toBeVisible()
  await product.ask(`/api/v1/inbox/${session}/messages`, { text: 'Merhaba, ben Ayşe.' })
  await expect(widget.panel.locator('[part=operator]')).toHaveCount(1)
  await widget.ask('Hediye paketi var mı?')
  await expect(widget.panel.getByText('Gönderildi', { exact: true }).first()).toBeVisible()
  expect(await said()).toEqual([
    joined,
    'Ekibimizden biri yazıyor',
    'Merhaba, ben Ayşe.',
    'Gönderildi',
  ])
  await expect(widget.panel.getByRole('alert')).toHaveCount(0)
})

test('says once that the connection to people is lost, and once that it is back', async ({
  page,
  widget,
}) => {
  let isDown = true
  await page.route('**/live', (route) => (isDown ? route.abort() : route.continue()))
  await widget.visit()
  const said = await listen(page)
  await widget.ask('Kargo ücreti ne kadar?')
  const lost = widget.panel.locator('.note').filter({ hasText: 'Bağlantı koptu' })
  // The widget tries again at once when the browser says that it is online.
  const wake = () => page.evaluate(() => dispatchEvent(new Event('online')))
  await expect
    .poll(async () => {
      await wake()
      return lost.count()
    })
    .toBe(1)
  isDown = false
  await wake()
  await expect(lost).toHaveCount(0)
  const about = (await said()).filter((line) => line.includes('Bağlantı'))
  expect(about).toEqual([
    'Bağlantı koptu. Yeni mesajlar bağlantı kurulunca görünecek.',
    'Bağlantı yeniden kuruldu.',
  ])
  await expect(widget.panel.getByRole('alert')).toHaveCount(0)
})

test('marks what is said in another language than the panel’s', async ({ page, widget }) => {
  await widget.visit()
  await expect(widget.panel).toHaveAttribute('lang', 'tr')
  for (const [question, content] of [
    ['Kargo ücreti ne kadar?', '750 TL ve üzeri siparişlerde kargo ücretsizdir.'],
    ['What does it cost to ship?', 'Shipping is free for orders of 750 TL and more.'],
    ['كم تكلفة الشحن؟', 'الشحن مجاني للطلبات الكبيرة.'],
    ['ما هي مدة الإرجاع؟', 'متوفرة بالتركية فقط:\n\nİade süresi 14 gün ve ücretsizdir.'],
  ] as const) {
    const answer = await holdAnswer(page)
    await widget.ask(question)
    await answer.finish({ content })
    await expect(widget.answers.last()).toContainText(content.split('\n').at(-1) ?? '')
  }
  const bubbles = widget.panel.getByRole('log').locator('.bubble')
  await expect
    .poll(() => bubbles.evaluateAll((all) => all.map((each) => each.getAttribute('lang'))))
    .toEqual(['tr', 'tr', 'en', 'en', 'ar', 'ar', 'ar', 'tr'])
  const spoken = page.locator('sohbet-widget [role=status] > p', { hasText: 'الشحن مجاني' })
  await expect(spoken).toHaveAttribute('lang', 'ar')
  // A quotation has the direction and the language of its own.
  const [sentence, quotation] = await widget.answers.last().locator('.bubble > p').all()
  await expect(sentence!).toHaveCSS('direction', 'rtl')
  await expect(sentence!).toHaveAttribute('lang', 'ar')
  await expect(quotation!).toHaveCSS('direction', 'ltr')
  await expect(quotation!).toHaveAttribute('lang', 'tr')
})

test('gives screen readers the whole conversation as a tree of names and roles', async ({
  page,
  product,
  site,
  widget,
}) => {
  await page.goto(site.serve(pageWith(tag(product))))
  const host = page.getByRole('region', { name: 'Sohbet' })
  await expect(host).toMatchAriaSnapshot(`
    - button "Sohbet"
  `)
  await widget.open()
  await widget.ask('Kargo ücreti ne kadar?')
  await expect(widget.answers).toHaveCount(1)
  await expect(widget.panel).toMatchAriaSnapshot(`
    - dialog "Fincan":
      - heading "Fincan" [level=2]
      - paragraph: Dijital asistan
      - button "Diğer seçenekler"
      - paragraph: Merhaba! Fincan’a hoş geldiniz. Size nasıl yardımcı olabiliriz?
      - log "Sohbet":
        - time: /\\d\\d:\\d\\d/
        - text: "Siz: Kargo ücreti ne kadar?"
        - time: /\\d\\d:\\d\\d/
        - text: "Fincan:"
        - paragraph: /79 TL/
        - list "Kaynaklar":
          - listitem:
            - link "Kargo ve teslimat › Kargo ücreti (yeni sekmede açılır)"
      - button "Yardımcı oldu"
      - button "Yardımcı olmadı"
      - textbox "Mesajınız"
      - button "Gönder" [disabled]
  `)
  await widget.panel.getByRole('button', { name: 'Diğer seçenekler' }).click()
  await expect(widget.panel.getByRole('menu')).toMatchAriaSnapshot(`
    - menu "Diğer seçenekler":
      - group:
        - menuitem "Müşteri temsilcisine bağlan"
      - group:
        - menuitem "Yeni sohbet"
        - menuitem "Önceki sohbetler"
        - menuitem "Sohbeti e-postayla al"
        - menuitem "Verileriniz"
      - group:
        - menuitemcheckbox "Mesaj sesi"
        - menuitemcheckbox "Masaüstü bildirimleri"
        - menuitemcheckbox "Sekme başlığında mesaj sayısı" [checked]
  `)
  await widget.panel.getByRole('menuitem', { name: 'İletişim bilgisi bırak' }).click()
  await expect(widget.panel.getByRole('form')).toMatchAriaSnapshot(`
    - form "İletişim bilgileriniz":
      - heading "İletişim bilgileriniz" [level=3]
      - textbox "Adınız soyadınız"
      - textbox "Telefon"
      - textbox "E-posta"
      - textbox "Konu (isteğe bağlı)"
      - button "Şimdi değil"
      - button "Gönder"
  `)
})
