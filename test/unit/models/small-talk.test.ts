import { describe, expect, test } from 'vitest'
import { readMessage } from '../../../server/models/embedded/understanding/message.ts'

/** The small talk or the anger in a message; `undefined` for a plain question. */
const talkOf = (text: string, locale = 'tr', question?: string) => {
  const { talk, isTalkOnly } = readMessage(text, { locale, question })
  return isTalkOnly || talk === 'insult' || talk === 'complaint' ? talk : undefined
}

describe('a thing or a question is no insult and no complaint', () => {
  test.each([
    ['tr', 'boks ne zaman'],
    ['tr', 'boks ne kadar'],
    ['tr', 'boks istiyorum'],
    ['tr', 'siz mi götürüyorsunuz'],
    ['tr', 'bu mal ne kadar'],
    ['tr', 'mal ne zaman'],
    ['tr', 'hıyar turşusu var mı'],
    ['tr', 'hıyar'],
    ['tr', 'sıkma portakal suyu'],
    ['tr', 'piknik sepeti ne kadar'],
    ['tr', 'sandal ne kadar'],
    ['tr', 'bir türlü karar veremedim hangisini alsam'],
    ['en', 'is there a garage'],
    ['en', 'do you have dumbbells'],
    ['en', 'are the sofas fire retardant'],
    ['en', 'is the fabric flame retardant?'],
    ['en', 'do you serve scampi'],
    ['en', 'how much are scampi and chips'],
    ['en', 'do you have shitake mushrooms'],
    ['en', 'crappie fishing gear'],
    ['en', 'is there fraud protection on card payments'],
    ['en', 'is the wifi too slow for video calls'],
    ['en', 'is the bike too slow for commuting'],
    ['en', 'is there a garbage room'],
    ['de', 'haben Sie Miesmuscheln'],
    ['de', 'haben Sie Spinner'],
    ['de', 'haben Sie Mistgabeln'],
    ['de', 'was ist der Betrag'],
    ['de', 'Betrag?'],
    ['ar', 'كلب'],
    ['ar', 'حيوان اليف'],
    ['ar', 'هل كلب صغير مسموح'],
  ])('%s: “%s”', (locale, message) => {
    expect(talkOf(message, locale)).toBeUndefined()
  })
})

describe('a question is no small talk', () => {
  test.each([
    ['tr', 'pahalı mı'],
    ['tr', 'pahalı mısınız'],
    ['tr', 'helal mi'],
    ['tr', 'tuzlu ne kadar'],
    ['tr', 'deneme ne kadar'],
    ['tr', 'deneme ne zaman'],
    ['tr', 'denemek istiyorum'],
    ['tr', 'test ne kadar'],
    ['tr', 'test ne zaman'],
    ['tr', 'tamamı ne kadar'],
    ['tr', 'en iyisi ne kadar'],
    ['tr', 'kaliteli ürün istiyorum'],
    ['tr', 'ne kadar beklerim'],
    ['tr', 'menü ne kadar'],
    ['tr', 'süper mi'],
    ['tr', 'güzellik'],
    ['en', 'is it expensive?'],
    ['en', 'is it expensive'],
    ['en', 'expensive?'],
    ['en', 'how expensive is it'],
    ['en', 'is there a test today'],
    ['en', 'is there a wait'],
    ['en', 'is there a wait today'],
    ['en', 'how much is the wait'],
    ['en', 'is there a menu'],
    ['en', 'menu'],
    ['en', 'is there a tasting today'],
    ['de', 'ist das teuer'],
    ['de', 'was ist die Wartezeit heute'],
    ['de', 'ist das für Tollwut'],
    ['de', 'was ist das für eine Spritze'],
    ['de', 'Supermarkt'],
    ['ar', 'حلويات'],
  ])('%s: “%s”', (locale, message) => {
    expect(talkOf(message, locale)).toBeUndefined()
  })

  test.each([
    ['tr', 'ücret ne kadar', 'bu yeter mi'],
    ['tr', 'ücret ne kadar', 'bu kadar mı'],
    ['en', 'are you open on saturday', 'and in the evening?'],
    ['en', 'are you open on saturday', 'is it in the morning?'],
    ['en', 'is the pool open now', 'and later?'],
    ['de', 'habt ihr heute auf', 'und morgen?'],
    ['de', 'habt ihr heute auf', 'morgen auch?'],
    ['de', 'habt ihr heute auf', 'morgen'],
    ['de', 'was kostet ein Fahrrad', 'nur ein Tag'],
    ['de', 'was kostet ein Fahrrad', 'für einen Tag'],
  ])('%s: after “%s”, “%s”', (locale, question, message) => {
    expect(talkOf(message, locale, question)).toBeUndefined()
  })

  test.each([
    ['tr', 'pahalı mı'],
    ['en', 'is it expensive?'],
    ['de', 'ist das teuer'],
  ])('%s: “%s” asks for the price, and not for yes or no', (locale, message) => {
    expect(readMessage(message, { locale })).toMatchObject({ kind: 'price', isPolar: false })
  })

  test('what is salted is looked up as it is asked', () => {
    const { search } = readMessage('tuzlu ne kadar', { locale: 'tr' })
    expect(search.question).toBe('tuzlu ne kadar')
  })
})

describe('insults and complaints', () => {
  test.each([
    ['tr', 'siktir git', 'insult'],
    ['tr', 'sikeyim böyle işi', 'insult'],
    ['tr', 'bok gibi site', 'insult'],
    ['tr', 'boktan hizmet', 'insult'],
    ['tr', 'piç kurusu', 'insult'],
    ['tr', 'boktansınız', 'insult'],
    ['tr', 'bıktırdınız', 'complaint'],
    ['tr', 'şikayetçi olmak istiyorum', 'complaint'],
    ['tr', 'mal mısınız', 'insult'],
    ['tr', 'hıyarsın', 'insult'],
    ['tr', 'ne kadar salaksınız', 'insult'],
    ['tr', 'aptalsınız', 'insult'],
    ['tr', 'aptal mısınız', 'insult'],
    ['tr', 'bu ne rezalet', 'complaint'],
    ['tr', 'ne kadar kötü bir hizmet, rezilsiniz', 'complaint'],
    ['tr', 'bir türlü size ulaşamıyorum', 'complaint'],
    ['tr', 'sorum cevaplanmadı bir türlü cevap alamadım', 'complaint'],
    ['tr', 'saçmalıyorsunuz', 'complaint'],
    ['tr', 'dolandırıcısınız', 'complaint'],
    ['tr', 'yeter artık', 'complaint'],
    ['tr', 'rezelet', 'complaint'],
    ['en', 'you are dumb', 'insult'],
    ['en', 'dumbass', 'insult'],
    ['en', 'are you stupid?', 'insult'],
    ['en', 'crappy website', 'insult'],
    ['en', 'this is shitty', 'insult'],
    ['en', 'retarded bot', 'insult'],
    ['en', 'idiots', 'insult'],
    ['en', 'you are scammers', 'complaint'],
    ['en', 'i got scammed', 'complaint'],
    ['en', 'this is a scam', 'complaint'],
    ['en', 'is this a joke', 'complaint'],
    ['en', 'are you scammers', 'complaint'],
    ['en', 'fraud', 'complaint'],
    ['en', 'your website is too slow', 'complaint'],
    ['en', 'terible service', 'complaint'],
    ['en', 'can i make a complaint', 'complaint'],
    ['de', 'Idioten', 'insult'],
    ['de', 'bist du dumm', 'insult'],
    ['de', 'blöder Bot', 'insult'],
    ['de', 'Scheißladen', 'insult'],
    ['de', 'du Spinner', 'insult'],
    ['de', 'mieser Service', 'complaint'],
    ['de', 'das ist Betrug', 'complaint'],
    ['de', 'unverschämte Preise', 'complaint'],
    ['de', 'Katastrophe', 'complaint'],
    ['ar', 'يا كلب', 'insult'],
    ['ar', 'أنت حمار', 'insult'],
    ['ar', 'أغبياء يا غبي', 'insult'],
    ['ar', 'خدمة سيئة', 'complaint'],
  ])('%s: “%s” is %s', (locale, message, talk) => {
    expect(talkOf(message, locale)).toBe(talk)
  })
})

describe('small talk', () => {
  test.each([
    ['tr', 'çok şık', 'praise'],
    ['tr', 'çok şık olmuş', 'praise'],
    ['tr', 'dolaplarınız çok şık', 'praise'],
    ['tr', 'ne kadar güzel', 'praise'],
    ['tr', 'helal olsun', 'praise'],
    ['tr', 'süpersiniz', 'praise'],
    ['tr', 'güzelmiş', 'praise'],
    ['tr', 'sıkıntı yok', 'ok'],
    ['tr', 'sorun değil', 'ok'],
    ['tr', 'tamamdır', 'ok'],
    ['tr', 'tamam mı', 'ok'],
    ['tr', 'pahalıymış', 'expensive'],
    ['tr', 'çok pahalı ya', 'expensive'],
    ['tr', 'ne kadar pahalı', 'expensive'],
    ['tr', 'bekliyorum', 'ok'],
    ['tr', 'bekle biraz', 'wait'],
    ['tr', 'teşekkür etmek istiyorum', 'thanks'],
    ['tr', 'teşekkürlr', 'thanks'],
    ['tr', 'yardım istiyorum', 'help'],
    ['tr', 'iyi günler', 'hello'],
    ['tr', 'kolay gelsin', 'hello'],
    ['tr', 'merhaba kolay gelsin', 'hello'],
    ['tr', 'teşekkürler iyi günler', 'bye'],
    ['en', 'morning', 'hello'],
    ['en', 'morning all', 'hello'],
    ['en', 'hi, morning', 'hello'],
    ['en', 'later', 'bye'],
    ['en', 'waiting', 'wait'],
    ['en', 'testing', 'sorry'],
    ['en', 'that is so expensive', 'expensive'],
    ['en', 'what a great site', 'praise'],
    ['en', 'how nice', 'praise'],
    ['en', 'thakns', 'thanks'],
    ['de', 'Morgen', 'hello'],
    ['de', 'Tag', 'hello'],
    ['de', 'toller Service', 'praise'],
    ['de', 'perfekte Seite', 'praise'],
    ['de', 'das ist aber teuer', 'expensive'],
    ['ar', 'حلو', 'praise'],
    ['ar', 'السلام عليكم', 'hello'],
    ['ar', 'سلام عليكم', 'hello'],
    ['ar', 'شكرا', 'thanks'],
    ['ar', 'شكرا كتير', 'thanks'],
    ['ar', 'يسلمو', 'thanks'],
    ['ar', 'خلص', 'ok'],
  ])('%s: “%s” is %s', (locale, message, talk) => {
    expect(talkOf(message, locale)).toBe(talk)
  })

  test('a wish for a good day is a goodbye at the end', () => {
    expect(talkOf('iyi günler', 'tr', 'kurs ne kadar')).toBe('bye')
    expect(talkOf('kolay gelsin', 'tr', 'kurs ne kadar')).toBe('bye')
    expect(talkOf('merhaba iyi günler', 'tr', 'kurs ne kadar')).toBe('hello')
  })
})

test('a rude beginning with endless endings is read', () => {
  const word = `rezil${'in'.repeat(60)}x`
  expect(readMessage(word, { locale: 'tr' }).talk).toBe(undefined)
})
