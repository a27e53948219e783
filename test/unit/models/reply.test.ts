import { describe, expect, test } from 'vitest'
import { search } from '../../../server/knowledge/search/search-index.ts'
import { buildReply, type BuiltReply } from '../../../server/models/embedded/answers/reply.ts'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'
import { buildSite, type Site } from '../../quality/visitors.ts'

const site = {
  name: 'Fincan',
  offer: 'person',
  hasBooking: false,
  takesContact: true,
  suggestions: [],
  personButton: () => 'a person',
} as const

/** The reply of a site without documents. */
function replyTo(question: string, locale = 'tr'): BuiltReply {
  const reading = readMessage(question, { locale })
  return buildReply({ question, reading, hits: [], threshold: 0.35, site })
}

describe('a reply without documents', () => {
  test('says that an order cannot be cancelled here, and offers a person', () => {
    const { content, isUnknown, quickReplies } = replyTo('siparişimi iptal etmek istiyorum')
    expect(content).toBe(
      'Siparişi ben iptal edemem veya değiştiremem ama ekibimiz yapabilir. Ekibimize iletmemi ister misiniz?',
    )
    expect(isUnknown).toBe(false)
    expect(quickReplies).toEqual(['a person'])
  })

  test('begins with regret where an order is late', () => {
    const { content } = replyTo('siparişim hala gelmedi rezalet')
    expect(content).toMatch(/^Bunu yaşadığınız için çok üzgünüz\. Siparişinize ben bakamıyorum/)
    expect(replyTo('where is my order, i am really worried', 'en').content).toMatch(
      /^I’m very sorry about that\. I can’t look up your order/,
    )
  })

  test('is about the order where a refund or help is asked for as well', () => {
    expect(replyTo('my order is late and i want a refund', 'en').content).toMatch(
      /I can’t look up your order/,
    )
    expect(replyTo('siparişim gecikti ne olur ilgilenin').content).toMatch(
      /Siparişinize ben bakamıyorum/,
    )
  })

  test('says goodbye to who says thank you and goodbye', () => {
    expect(replyTo('thank you so much bye', 'en').content).toMatch(/^Thank you, have a nice day!/)
    expect(replyTo('danke, tschüss', 'de').content).toMatch(/^Vielen Dank und einen schönen Tag!/)
    expect(replyTo('thanks', 'en').content).toMatch(/^You’re welcome!/)
  })

  test('writes a name with its capitals to its bearer', () => {
    const reading = readMessage('adım irem su', { locale: 'tr' })
    const contact = { name: 'irem su', phone: '+905321112233' }
    const request = { question: 'adım irem su', reading, hits: [], threshold: 0.35, site, contact }
    expect(buildReply(request).content).toMatch(/^Teşekkür ederiz İrem Su\./)
  })

  test('understands that prices seem high, and asks nothing of the documents', () => {
    expect(replyTo('çok pahalısınız').content).toMatch(/^Fiyatlarımızın size yüksek geldiğini/)
    expect(replyTo('too expensive!', 'en')).toMatchObject({ isUnknown: false, confidence: 1 })
  })
})

describe('a reply to who looks for an order', () => {
  const replyOf = (of: Site, question: string): BuiltReply => {
    const reading = readMessage(question, { locale: 'en' })
    const hits = search(buildSite(of), reading.search, 8)
    return buildReply({ question, reading, hits, threshold: 0.35, site })
  }

  test('quotes what the site says of tracking, and offers a person', () => {
    expect(replyOf('hali', 'siparişim nerede kaldı').content).toMatch(
      /Fişteki altı haneli numarayı[\s\S]* Ekibimize iletmemi ister misiniz\?$/,
    )
  })

  test('has neither yes nor no before what the site says of tracking', () => {
    expect(replyOf('demo', 'is my order late?').content).toMatch(
      /^\*\*Shipping and delivery › Tracking your parcel:\*\* When your order leaves/,
    )
    expect(replyOf('demo', 'siparişim yola çıktı mı').content).toMatch(/^Sipariş kargoya/)
  })

  test('quotes nothing else where the site says nothing of it', () => {
    const { content, used } = replyOf('fruit', 'where is my order')
    expect(content).toMatch(/^I can’t look up your order/)
    expect(used).toEqual([])
  })
})

describe('a reply without a clear answer', () => {
  const replyOn = (place: Site, asked: string): BuiltReply => {
    const understood = readMessage(asked, { locale: 'en' })
    const found = search(buildSite(place), understood.search, 8)
    return buildReply({ question: asked, reading: understood, hits: found, threshold: 0.35, site })
  }

  test('quotes nothing to a request for anything else, or for goods that the site does not name', () => {
    expect(replyOn('brackenford', 'who is the president')).toMatchObject({
      used: [],
      quickReplies: [],
    })
    expect(replyOn('demo', 'what is the weather like')).toMatchObject({ confidence: 0.07 })
    expect(replyOn('demo', 'do you sell bicycles')).toMatchObject({ used: [], isUnknown: true })
  })

  test('is in the language of the question', () => {
    expect(replyOn('demo', 'kargom ıslak geldi').content).toMatch(
      /^Buna net bir yanıt bulamadım.*\*\*[^*]+:\*\*.*Ekibimize iletmemi ister misiniz\?$/s,
    )
    expect(replyOn('demo', 'takip kodunu nasıl öğrenirim').content).toContain('**Kargo takibi:**')
  })

  const question = 'do you keep a spare key to my unit'
  const reading = readMessage(question, { locale: 'en' })
  const hits = search(buildSite('brackenford'), reading.search, 8)
  const replyWith = (threshold: number, offer: 'person' | 'form' | 'none' = 'person'): BuiltReply =>
    buildReply({ question, reading, hits, threshold, site: { ...site, offer } })

  test('quotes the nearest passages with their source, counts as unanswered and ends with help', () => {
    const { content, used, isUnknown, confidence, manner } = replyWith(0.35)
    expect(content).toMatch(/\*\*Padlocks:\*\* [\s\S]*\n\nWould you like me to pass this on/)
    expect(hits[used[0] ?? -1]?.passage.heading).toMatch(/Padlocks$/)
    expect({ isUnknown, manner }).toEqual({ isUnknown: true, manner: undefined })
    expect(confidence).toBeLessThan(0.35)
  })

  test('promises nothing on a site that takes no contact', () => {
    expect(replyWith(0.35, 'none').content).not.toMatch(/contact details|team/)
  })

  test('names the nearest topics alone where the owner wants surer answers', () => {
    const { content, used, quickReplies } = replyWith(0.4)
    expect(content).toBe(
      'I’m sorry, I don’t have any information on that. Would you like me to pass this on to our team?',
    )
    expect(used).toEqual([])
    expect(quickReplies?.[0]).toBe('Padlocks')
    expect(replyOn('brackenford', 'Padlocks').content).toContain('no master key')
  })
})
