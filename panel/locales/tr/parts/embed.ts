import type { EmbedWords } from '../../en/parts/embed.ts'

export const words: EmbedWords = {
  where: 'Siteniz nerede çalışıyor?',
  platforms: {
    html: 'HTML',
    wordpress: 'WordPress',
    shopify: 'Shopify',
    react: 'React, Next.js',
    gtm: 'Tag Manager',
  },
  places: {
    html: 'Sohbetin görüneceği her sayfada </body> etiketinden önceye yapıştırın.',
    wordpress:
      'Sohbet eklentisini kurun (kurulumu yöneten kişiden isteyin) ya da bunu temanızın functions.php dosyasına yapıştırın.',
    shopify: 'Online Mağaza › Temalar › Kodu düzenle › theme.liquid, </body> etiketinden önce.',
    react: 'Kök bileşene yakın bir yerde bir kez çalıştırın.',
    gtm: 'Özel HTML türünde bir etiket ekleyin; tüm sayfalarda tetiklensin.',
  },
  logo: {
    hint: 'Kare bir PNG, JPEG ya da WebP görseli ya da web adresi.',
    upload: 'Yükle',
    uploaded: 'Yüklenen logo',
    remove: 'Logoyu kaldır',
    unreadable: 'Bu dosya okunabilir bir görsel değil. PNG, JPEG ya da WebP seçin.',
  },
  side: 'Sohbet düğmesi',
  sides: { right: 'Sağ altta', left: 'Sol altta' },
  sendToDeveloper: 'Yazılımcıma gönder',
  mailSubject: 'Web sitemizin sohbeti',
  mailText: (tag) =>
    `Merhaba,\n\nşunu web sitemizin her sayfasına ekler misiniz:\n\n${tag}\n\nTeşekkürler!`,
  waitingForPage: 'Etiketin olduğu ilk sayfa bekleniyor. Ekledikten sonra sitenizi bir kez açın.',
  seenOn: (origin, ago) => `${origin} adresinde görüldü (${ago}).`,
}
