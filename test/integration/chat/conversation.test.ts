import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import type { UnansweredQuestion } from '../../../server/knowledge/schema.ts'
import type { WidgetConfig } from '../../../server/tenants/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addDocument, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const SHIPPING = `# Kargo ve mağaza

## Kargo ücreti

750 TL ve üzeri siparişlerde kargo ücretsizdir. Bu tutarın altındaki siparişlerde kargo ücreti 79 TL'dir.

## Kargo takibi

Sipariş kargoya verildiğinde takip numarası e-posta ile gönderilir.

## Adres

Mağazamız Moda Caddesi 42, Kadıköy adresindedir.`

const ENGLISH_SHIPPING = `# Shipping

## Shipping costs

Shipping is free for orders of 750 TL or more. Below that it costs 79 TL.

## International shipping

We ship to the European Union. International delivery takes 5–8 working days and costs 14.90 euros.`

const ENGLISH_VISIT = `# Visit us

## Our shop

You find our shop at 12 Quay Street, beside the harbour office.`

const SITES = join(import.meta.dirname, '../../data/sites')
const ALWAYS = [{ from: '00:00', to: '23:59' }]

describeOnDatabase('a conversation without a model', (database) => {
  let shop: TestWorkspace
  const product = useProduct(database)
  beforeAll(async () => {
    shop = await addWorkspace(product, {
      tenant: {
        locale: 'tr',
        greeting: { tr: 'Hoş geldiniz', en: 'Welcome' },
        quick_replies: { tr: ['Kargo ücreti ne kadar?'], en: ['How much is shipping?'] },
        synonyms: [['gönderimat', 'kargo']],
      },
    })
    await addDocument(product, shop, { title: 'Kargo', content: SHIPPING })
  })

  async function addSite(place: TestWorkspace, site: string): Promise<void> {
    for (const file of await readdir(join(SITES, site))) {
      const content = await readFile(join(SITES, site, file), 'utf8')
      await addDocument(product, place, { title: /^# (.+)$/m.exec(content)?.[1] ?? file, content })
    }
  }

  async function talk(place: TestWorkspace, locale: string, ...messages: string[]): Promise<Turn> {
    const token = await addVisitor(product, place)
    let turn: Turn | undefined
    for (const message of messages) {
      const session = turn ? { session_id: turn.session_id } : {}
      const answer = await product.call<Turn>('/api/v1/chatbot/message', {
        token,
        body: { tenant_id: place.tenantId, message, locale, ...session },
      })
      expect(answer.status, answer.text).toBe(200)
      turn = answer.body
    }
    if (!turn) throw new Error('Nothing was said.')
    return turn
  }

  test.each([
    ['teşekkürler çok yardımcı oldunuz', 'tr', /^Rica ederim/],
    ['Thanks a lot!', 'tr', /^You’re welcome/],
    ['Bist du ein Roboter?', 'tr', /digitale Assistent/],
    ['شكرا جزيلا', 'tr', /^على الرحب/],
    ['rezalet bir hizmet', 'tr', /^Bunu yaşadığınız için çok üzgünüz/],
    ['👍', 'de', /^Vielen Dank/],
    ['Tschüss', 'tr', /^Vielen Dank und einen schönen Tag/],
    ['bi şey sorcam', 'tr', /Ne öğrenmek istersiniz/],
  ])('replies to %s like a polite employee', async (message, locale, reply) => {
    const { reply: given } = await talk(shop, locale, message)
    expect(given?.content).toMatch(reply)
    expect(given?.citations).toEqual([])
  })

  test('thanks for contact details by name, and counts nothing as unanswered', async () => {
    const { reply } = await talk(shop, 'tr', 'Adım Ayşe Yılmaz, telefonum 0532 111 11 22')
    expect(reply?.content).toBe('Teşekkür ederiz Ayşe Yılmaz. Sizi …1122 numarasından arayacağız.')
    const { reply: english } = await talk(shop, 'tr', 'My name is Ayşe, call me 0532 111 11 22')
    expect(english?.content).toMatch(/^Thank you, Ayşe\./)
    await talk(shop, 'tr', 'Ben Ayşe Yılmaz, zürafa maması satıyor musunuz?')
    const path = `/api/v1/tenants/${shop.tenantId}/unanswered`
    const { text, body } = await product.call<Page<UnansweredQuestion>>(path, { token: shop.token })
    expect(text).not.toMatch(/Ayşe|Yılmaz|1122/)
    expect(body.data).toHaveLength(1)
  })

  test.each([
    ['beni arar mısınız', 'tr', /^Elbette\. İletişim bilgilerinizi/],
    ['can you call me back please', 'tr', /^Gladly\. Please leave/],
    ['Rufen Sie mich bitte zurück', 'tr', /^Gerne\. Bitte hinterlassen/],
    ['اتصلوا بي من فضلك', 'tr', /^بكل سرور/],
  ])('offers the form to who asks to be called: %s', async (message, locale, reply) => {
    const { reply: given } = await talk(shop, locale, message)
    expect(given?.content).toMatch(reply)
    expect(given?.form).toBe('lead')
  })

  test('stays in the language of the conversation where a message shows none', async () => {
    const { reply } = await talk(shop, 'tr', 'Do you ship to Germany?', 'ok thx bye')
    expect(reply?.content).toMatch(/^Thank you, have a nice day!/)
  })

  test('answers both questions of a message, each with its source', async () => {
    const store = await addWorkspace(product, { tenant: { locale: 'en' } })
    await addDocument(product, store, { title: 'Shipping', content: ENGLISH_SHIPPING })
    await addDocument(product, store, { title: 'Visit us', content: ENGLISH_VISIT })
    const { reply } = await talk(store, 'en', 'How much is shipping and where is your shop?')
    expect(reply?.content).toMatch(/79 TL[^]*\n\n[^]*12 Quay Street/)
    expect(reply?.citations.map(({ title }) => title)).toEqual(['Shipping', 'Visit us'])
  })

  test('offers a person in the language of the refusal', async () => {
    const questions = ['Do you sell food for giraffes?', 'Do you sell toys for elephants?']
    const { reply } = await talk(shop, 'tr', ...questions)
    expect(reply?.content).toMatch(/^I’m sorry, I don’t have any information/)
    expect(reply?.quick_replies).toContain('Talk to a person')
    expect(reply?.quick_replies).not.toContain('Müşteri temsilcisine bağlan')
  })

  test('quotes the nearest passage where there is no clear answer, and counts it as unanswered', async () => {
    const storage = await addWorkspace(product, { tenant: { locale: 'en' } })
    await addSite(storage, 'brackenford')
    const question = 'do you keep a spare key to my unit'
    const { reply } = await talk(storage, 'en', question)
    expect(reply?.content).toMatch(/^I couldn’t find a clear answer.*no master key.*our team/s)
    expect(reply?.citations).not.toEqual([])
    expect(reply).toMatchObject({ form: 'lead' })
    expect(reply?.confidence).toBeLessThan(0.35)
    const path = `/api/v1/tenants/${storage.tenantId}/unanswered`
    const { body } = await product.call<Page<UnansweredQuestion>>(path, { token: storage.token })
    expect(body.data.map((each) => each.question)).toEqual([question])
  })

  test('takes the offer of a person with a yes', async () => {
    const { state } = await talk(shop, 'tr', 'Zürafa maması satıyor musunuz?', 'evet lütfen')
    expect(state).toBe('waiting')
  })

  test('tells what the documents say about an order, and offers a person', async () => {
    const { reply } = await talk(shop, 'tr', 'kargom nerde kaldı')
    expect(reply?.content).toMatch(/takip numarası.*Ekibimize iletmemi ister misiniz\?$/)
    expect(reply?.quick_replies).toEqual(['Müşteri temsilcisine bağlan'])
  })

  test('opens the calendar for an appointment, where booking is on', async () => {
    const clinic = await addWorkspace(product, { tenant: { office_hours: { mon: ALWAYS } } })
    const { reply } = await talk(clinic, 'tr', 'randevu almak istiyorum')
    expect(reply).toMatchObject({ form: 'appointment', confidence: 1 })
    expect((await talk(shop, 'tr', 'randevu almak istiyorum')).reply?.form).not.toBe('appointment')
  })

  test('answers in the language of the message, and says in which one the source is', async () => {
    const { reply } = await talk(shop, 'tr', 'Was kostet der Versand?')
    expect(reply?.content).toMatch(/^Diese Auskunft haben wir auf Türkisch:[^]*79 TL/)
    expect(reply?.citations).toHaveLength(1)
  })

  test('quotes a German visitor the English page, with the price that was asked for', async () => {
    const abroad = await addWorkspace(product, { tenant: { locale: 'tr' } })
    const content = `${SHIPPING}\n\n## Yurt dışına gönderim\n\nYurt dışı teslimat 5–8 iş günü sürer, kargo ücreti 14,90 eurodur.`
    await addDocument(product, abroad, { title: 'Kargo', content })
    await addDocument(product, abroad, { title: 'Shipping', content: ENGLISH_SHIPPING })
    const { reply } = await talk(abroad, 'de', 'Was kostet der Versand nach Deutschland?')
    expect(reply?.content).toMatch(/^Diese Auskunft haben wir auf Englisch:[^]*14\.90 euros/)
    const asked = ['How much is shipping?', 'and to Germany?', 'how long does it take?']
    const { reply: last } = await talk(abroad, 'en', ...asked)
    expect(last?.content).toMatch(/5–8 working days/)
  })

  test('understands what a follow-up leaves out, and words of the site’s own', async () => {
    const { reply } = await talk(shop, 'tr', 'mağaza adresi nedir', 'peki kargo ücreti?')
    expect(reply?.content).toContain('79 TL')
    expect((await talk(shop, 'tr', 'gönderimat ücreti')).reply?.content).toContain('79 TL')
  })

  test('goes on with the passage that the reply before quoted', async () => {
    const fitters = await addWorkspace(product, { tenant: { locale: 'en' } })
    await addSite(fitters, 'heatpump')
    const questions = ['Do you cover Kings Lynn?', 'is there any extra charge for travelling']
    const { reply } = await talk(fitters, 'en', ...questions)
    expect(reply?.content).toContain('There is no travel charge')
    const later = await talk(fitters, 'en', questions[0] ?? '', 'thanks', questions[1] ?? '')
    expect(later.reply?.content).toContain('There is no travel charge')
  })

  test('shows the site’s texts in the language of the page', async () => {
    const read = (locale: string) =>
      product.call<WidgetConfig>(`/api/v1/widget/${shop.tenantId}/config${locale}`)
    const english = await read('?locale=en-GB')
    expect(english.body).toMatchObject({
      greeting: 'Welcome',
      quick_replies: ['How much is shipping?'],
    })
    expect((await read('')).body.greeting).toBe('Hoş geldiniz')
    expect((await read('?locale=fr')).body.greeting).toBe('Hoş geldiniz')
    const own = await product.call<{ greeting: unknown }>(`/api/v1/tenants/${shop.tenantId}`, {
      token: shop.token,
    })
    expect(own.body.greeting).toEqual({ tr: 'Hoş geldiniz', en: 'Welcome' })
  })
})
