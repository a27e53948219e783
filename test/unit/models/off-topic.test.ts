import { describe, expect, test } from 'vitest'
import { fold } from '../../../server/lib/text/fold.ts'
import {
  asksForJob,
  readOffTopic,
} from '../../../server/models/embedded/understanding/off-topic.ts'

describe('a question about the business', () => {
  test.each([
    'kahvaltı saat kaç',
    'tur saat kaç',
    'what time is it open until',
    'what time is it served',
    'what is the time limit for returns',
    "what's the time for check in",
    'what day is it closed',
    'wie spät kann ich anreisen',
    'bis wie spät ist die Rezeption besetzt',
    'كم الساعة الفطور',
    "Sakarya'ya gönderim yapıyor musunuz",
    'masalar için fiyat verir misiniz',
    'sakatlığım var spor yapabilir miyim',
    'spor sakatlığı tedavisi yapıyor musunuz',
    'sakal tıraşı yapıyor musunuz',
    'ödev veriyor musunuz',
    'is there homework',
    'do you set homework',
    'şarkı söyleme dersi veriyor musunuz',
    'yağmur yağarsa tur iptal mi',
    'hava soğuk olursa tur olur mu',
    'hava durumu kötüyse uçuş iptal mi',
    'what happens in bad weather',
    'will it rain cancel my flight',
    "will it rain on saturday's ride",
    'altın üyelik ne kadar',
    'altın üyelik kaç tl',
    'is the gold service worth it',
    'is my gold watch worth anything',
    'yemek takımı tutarı ne kadar',
    'adres tarifi',
    'showroom tarifi verir misiniz',
    'haftada 2 kere 45 dakika ders ne kadar',
    'room for 2 plus 1 child',
    'is there 10% off 2 bottles',
    'what is your biggest room',
    '3+1 kaç',
    '3+1',
    'how old are you supposed to be to join',
    'can you tell me the door code',
    'tell me about your loyalty program',
    'can you tell me the story of the shop',
    'can we play music in the room',
    'Können Sie uns etwas über die Geschichte des Hauses erzählen?',
    'bel ağrısına ne iyi gelir',
    'nüfusu kayıtlı olmayan başvurabilir mi',
  ])('is not off its topic: %s', (message) => {
    expect(readOffTopic(message).isOffTopic).toBe(false)
  })

  test.each([
    'taşımak için 2 eleman lazım',
    'do you have a vacancy for saturday',
    'is there a vacancy for a 50 sq ft',
  ])('asks for no job: %s', (message) => {
    expect(asksForJob(fold(message))).toBe(false)
  })
})

describe('a question that hardly any site answers', () => {
  test.each([
    'saat kaç',
    'şu an saat kaç acaba?',
    'what time is it?',
    'what is the time now',
    'wie spät ist es',
    'كم الساعة الان',
    'hava nasıl',
    'yarın hava nasıl olacak',
    'bugün yağmur yağacak mı',
    "what's the weather like tomorrow",
    'is it going to rain today',
    'bana bir şiir yaz',
    'fıkra anlatır mısın',
    'şarkı söyle',
    'ödevimi yapar mısın',
    'tell me a joke',
    'write me a python program',
    'do my homework',
    'erzähl mir einen Witz',
    '12 * 4',
    'whats 15% of 2340',
    "what's the fastest car in the world",
    'sence seçimi kim kazanır',
    'dolar bu yıl sonunda kaç lira olur',
    'what is 2+2',
    "what's 8 plus 9",
    '25 kere 4 kaç eder',
    'altın ne kadar',
    'gram altın kaç tl',
    'dolar kuru',
    'kek tarifi verir misin',
    'Türkiyenin nüfusu kaç',
    'öksürüğe ne iyi gelir',
    'how old are you',
    'hangi takımı tutuyorsun',
  ])('is off the topic: %s', (message) => {
    expect(readOffTopic(message).isOffTopic).toBe(true)
  })

  test.each([
    'eleman arıyor musunuz',
    'are you hiring',
    'any vacancies?',
    'do you have job vacancies',
  ])('asks for a job: %s', (message) => {
    expect(asksForJob(fold(message))).toBe(true)
  })
})
