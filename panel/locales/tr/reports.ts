import type { Words } from '../en/reports.ts'

export const words: Words = {
  title: 'Raporlar',
  lead: (days) => `Son ${days} gün ve ondan önceki ${days} gün.`,
  allSites: 'Tüm siteler',
  period: 'Dönem',
  days: (count) => `${count} gün`,
  series: {
    sessions: 'Sohbetler',
    answered: 'Yanıtlananlar',
    handoffs: 'Ekibe devredilenler',
    leads: 'Potansiyel müşteriler',
    appointments: 'Randevular',
  },
  answeredRate: 'Yanıtlanan',
  firstResponse: 'İlk yanıt (medyan)',
  csat: 'Memnuniyet',
  cost: 'Kullanılan kredi',
  asBefore: 'öncekiyle aynı',
  thanBefore: 'öncekine göre',
  chartOf: (name) => `Günlere göre: ${name}`,
  dashed: 'Kesikli çizgi önceki dönemdir.',
  pages: 'Sohbetlerin başladığı sayfalar',
  pageColumn: 'Sayfa',
  noPages: 'Henüz sohbet yok',
  noPagesText: 'Ziyaretçilerin widget’ı açtığı sayfalar burada görünür.',
}
