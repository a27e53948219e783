import type { WebhookInspectorStrings } from './webhook-inspector.en.ts'

/** Turkish strings of the webhook inspector's page. */
export const tr: WebhookInspectorStrings = {
  title: 'Webhook alıcısı',
  explanation:
    'Bu adresin altına gönderilenler burada görünür: başlıklar, gövde ve her imzanın tutup tutmadığı. Bir aboneliği ya da kuralı şu adrese yönlendirin:',
  addresses:
    '“crm” yerine istediğiniz adı yazabilirsiniz. ?status=500 eklerseniz alıcı bu durum koduyla yanıt verir; böylece yeniden denemeleri izleyebilirsiniz.',
  memory: 'Son 50 istek, süreç bitene kadar bellekte tutulur. Canlı ortamda bu sayfa yoktur.',
  isReachable: 'Webhook’lar bu adrese ulaşabilir: özel ağ hedeflerine izin verilmiş.',
  isNotReachable:
    'Webhook’lar bu adrese henüz ulaşamıyor. Ürünü ALLOW_PRIVATE_TARGETS=true ile başlatın.',
  none: 'Henüz bir şey gelmedi.',
  received: (count) => `${count} istek`,
  refresh: 'Yenile',
  follow: 'Kendiliğinden yenile',
  unfollow: 'Yenilemeyi durdur',
  clear: 'Temizle',
  answered: (status) => `${status} ile yanıtlandı`,
  attempt: (count) => `${count}. deneme`,
  summary: {
    good: 'İmza doğru',
    stale: 'Çok eski',
    wrong: 'İmza yanlış',
    unsigned: 'İmzasız',
  },
  signatures: 'İmzalar',
  bodySignature: 'gövdedeki “signature”',
  fits: 'şunun gizli anahtarıyla tutuyor:',
  isStale: 'zaman damgası beş dakikadan uzak, ama şunun gizli anahtarıyla tutuyor:',
  isWrong: 'bu sayfaya yönlendirilmiş hiçbir aboneliğin ya da kuralın gizli anahtarıyla tutmuyor',
  isMissing: 'Hiç yok.',
  headers: 'Başlıklar',
  body: 'Gövde',
  rawBody: 'Geldiği gibi, bayt bayt',
  emptyBody: 'Gövde boş.',
}
