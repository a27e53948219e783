import type { MailStrings } from './mail.en.ts'

/** Turkish strings of mails. */
export const tr: MailStrings = {
  language: 'tr',
  invitation: {
    subject: (at) => `Davet: ${at.workspace}`,
    text: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

${at.inviter} sizi Sohbet'teki ${at.workspace} çalışma alanına davet ediyor. Rolünüz: ${at.role}.

7 gün içinde buradan bir parola belirleyin:
${at.link}

Ya da şu kodu kullanın: ${at.token}

Bu davet size bir şey ifade etmiyorsa bu e-postayı dikkate almayın; hiçbir şey olmaz.
`,
    roles: { owner: 'sahip', admin: 'yönetici', operator: 'temsilci' },
  },
  reset: {
    subject: 'Sohbet için yeni parola',
    text: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

Hesabınız için yeni bir parola istendi. Bunu siz istediyseniz 30 dakika içinde buradan yeni parolanızı belirleyin:
${at.link}

Ya da şu kodu kullanın: ${at.token}

Siz istemediyseniz bu e-postayı dikkate almayın; parolanız olduğu gibi kalır.
`,
  },
  emailChange: {
    subject: 'Sohbet için yeni adresinizi onaylayın',
    text: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

Bundan sonra Sohbet'e bu adresle giriş yapmak istediniz. Adresi bir gün içinde buradan onaylayın:
${at.link}

Ya da şu kodu kullanın: ${at.token}

Bunu siz istemediyseniz bu e-postayı dikkate almayın; hiçbir şey değişmez.
`,
  },
  emailInUse: {
    subject: 'Sohbet adresiniz kullanımda',
    text: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

Biri bu adresi Sohbet'te başka bir hesap için kullanmak istedi. Adres sizin hesabınıza ait olduğundan hiçbir şey değiştirilmedi.

Bunu siz istediyseniz ve parolanızı hatırlamıyorsanız buradan yenisini belirleyin:
${at.link}

Bunu siz istemediyseniz bu e-postayı dikkate almayın; hiçbir şey değişmez.
`,
  },
  emailChanged: {
    subject: 'Sohbet adresiniz değiştirildi',
    text: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

Sohbet'e artık bu adresle değil, ${at.email} adresiyle giriş yapıyorsunuz.

Bunu siz yapmadıysanız hemen çalışma alanınızın bir sahibine yazın.
`,
  },
  twoFactor: {
    subject: {
      on: 'Sohbet girişinizde artık kod isteniyor',
      off: 'Sohbet girişinizde artık kod istenmiyor',
    },
    text: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

${at.isOn ? 'Hesabınızda doğrulama uygulaması kodları açıldı.' : 'Hesabınızda doğrulama uygulaması kodları kapatıldı.'}

Bunu siz yapmadıysanız hemen yeni bir parola belirleyin:
${at.link}
`,
  },
  passwordChanged: {
    subject: 'Sohbet parolanız değiştirildi',
    text: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

Parolanız az önce değiştirildi ve diğer cihazlarınızdaki oturumlar kapatıldı.

Bunu siz yapmadıysanız hemen yeni bir parola belirleyin:
${at.link}
`,
  },
  workspaceClosing: {
    subject: (at) => `${at.workspace} silinecek`,
    text: (at) => `Merhaba ${at.name},

${at.actor}, ${at.workspace} çalışma alanını kapattı. Siteleri şu an kapalı. ${at.date} tarihinde sohbetler, müşteri adayları, belgeler, ayarlar ve üyelerle birlikte her şey kalıcı olarak silinecek.

O tarihe kadar bir sahip çalışma alanını yeniden açabilir:
${at.link}
`,
  },
  creditWarning: {
    subject: (at) => `${at.workspace}: krediler azalıyor`,
    text: (at) => `Merhaba ${at.name},

${at.workspace} çalışma alanında ${at.remaining} kredi kaldı. Bu, uyarı için belirlediğiniz ${at.warning} kredinin altında. Aylık krediler ${at.date} tarihinde yenilenir.

Kredi kullanımını buradan görün:
${at.link}
`,
  },
  test: {
    subject: 'Sohbet deneme e-postası',
    text: (at) => `Merhaba${at.name ? ` ${at.name}` : ''},

${at.workspace} için istediğiniz deneme e-postası bu. Sohbet’in e-postaları size ulaşıyor.
`,
  },
  devPage: {
    title: 'Gönderilmeyen e-postalar',
    explanation:
      'SMTP_URL ayarlı olmadığı için e-postalar bir gün boyunca burada gösterilir. Canlı ortamda gösterilmez.',
    none: 'Hiç e-posta yok.',
    to: 'Alıcı',
    subject: 'Konu',
    at: 'Zaman',
    attachments: 'Ekler',
  },
}
