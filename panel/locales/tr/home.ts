import type { Words } from '../en/home.ts'

export const words: Words = {
  title: 'Ana sayfa',
  greeting: (name) => (name === '' ? 'Tekrar hoş geldiniz.' : `Tekrar hoş geldiniz, ${name}.`),
  checklist: 'Asistanınızı çalıştırın',
  done: 'tamam',
  steps: {
    site: 'Sitenizi ekleyin',
    knowledge: 'Asistana okuyacağı bir şey verin',
    asked: 'Bir soru sorun',
    installed: 'Etiketi web sitenize koyun',
    team: 'Bir çalışma arkadaşınızı davet edin',
  },
  waiting: 'Bekleyen ziyaretçi',
  leadsToday: 'Bugün yeni müşteri',
  appointmentsToday: 'Bugün randevu',
  answered: '7 günde yanıtlanan',
  unanswered: 'Yanıtsız kalan sorular',
  nothingUnanswered: 'Şimdilik yok. Asistanın yanıtlayamadığı sorular burada görünür.',
  times: (_count, shown) => `${shown} kez`,
  seeAll: 'Tümü',
  credits: 'Kalan kredi',
  creditsOf: (all, date) => `Toplam ${all}; ${date} tarihinde yenilenir.`,
  daysLeft: (_count, shown) => `Bu hızla ${shown} gün yeter.`,
}
