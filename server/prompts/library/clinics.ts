import type { LibraryPrompt } from './prompt.ts'
import { COUNT, LINE, PASSAGE, fields } from './fields.ts'

/** Patients are invited after a year, or after many. */
const MONTHS = { ...COUNT, maximum: 240 }

/** Prompts for clinics. */
export const clinics: readonly LibraryPrompt[] = [
  {
    prompt_id: 'appointment-reminder',
    version: 2,
    kind: 'fixed',
    credits_cost: 1,
    min_plan: 'starter',
    task: 'template',
    inputs_schema: fields({ name: LINE, when: LINE, clinic: LINE }, { phone: LINE }),
    texts: {
      tr: {
        title: 'Randevu hatırlatma',
        description: 'Hastaya gönderilecek kısa hatırlatma mesajı.',
        labels: { name: 'Hasta adı', when: 'Gün ve saat', clinic: 'Klinik', phone: 'Telefon' },
        template: [
          '{{clinic}} adına, {{name}} adlı hastaya randevusunu hatırlatan, en çok 300 karakterlik nazik bir mesaj yaz. Randevu: {{when}}.',
          ' Değişiklik için telefon: {{phone}}',
        ],
        ready: [
          'Sayın {{name}}, {{clinic}} olarak randevunuzu hatırlatmak isteriz: {{when}}. Gelemeyecekseniz lütfen bize haber verin.',
          ' Telefon: {{phone}}',
        ],
      },
      en: {
        title: 'Appointment reminder',
        description: 'A short reminder to send to a patient.',
        labels: { name: 'Patient', when: 'Day and time', clinic: 'Clinic', phone: 'Phone' },
        template: [
          'On behalf of {{clinic}}, write a kind message of at most 300 characters that reminds {{name}} of an appointment. Appointment: {{when}}.',
          ' Phone for changes: {{phone}}',
        ],
        ready: [
          'Dear {{name}}, {{clinic}} would like to remind you of your appointment: {{when}}. Please let us know if you cannot come.',
          ' Phone: {{phone}}',
        ],
      },
    },
  },
  {
    prompt_id: 'missed-appointment',
    version: 1,
    kind: 'fixed',
    credits_cost: 1,
    min_plan: 'starter',
    task: 'template',
    inputs_schema: fields({ name: LINE, when: LINE, clinic: LINE }),
    texts: {
      tr: {
        title: 'Kaçırılan randevu',
        description: 'Gelmeyen hastayı kırmadan yeni randevuya çağırır.',
        labels: { name: 'Hasta adı', when: 'Kaçırılan gün ve saat', clinic: 'Klinik' },
        template:
          '{{clinic}} adına, {{when}} randevusuna gelemeyen {{name}} için suçlamayan, yeni bir randevu öneren kısa bir mesaj yaz.',
        ready:
          'Sayın {{name}}, {{when}} randevunuzda sizi göremedik; umarız her şey yolundadır. Size uygun yeni bir gün bulmak için bu mesajı yanıtlayabilirsiniz. {{clinic}}',
      },
      en: {
        title: 'Missed appointment',
        description: 'Invites a patient who did not come to a new date.',
        labels: { name: 'Patient', when: 'Missed day and time', clinic: 'Clinic' },
        template:
          'On behalf of {{clinic}}, write a short message to {{name}}, who missed the appointment on {{when}}: no blame, and an offer of a new date.',
        ready:
          'Dear {{name}}, we missed you on {{when}} and hope that all is well. Reply to this message to find a new date that suits you. {{clinic}}',
      },
    },
  },
  {
    prompt_id: 'aftercare-message',
    version: 2,
    kind: 'fixed',
    credits_cost: 2,
    min_plan: 'starter',
    task: 'template',
    inputs_schema: fields({ name: LINE, treatment: LINE, advice: PASSAGE, clinic: LINE }),
    texts: {
      tr: {
        title: 'Tedavi sonrası bilgi',
        description: 'Hekimin önerilerini hastaya anlaşılır biçimde iletir.',
        labels: {
          name: 'Hasta adı',
          treatment: 'Tedavi',
          advice: 'Hekimin önerileri',
          clinic: 'Klinik',
        },
        template:
          '{{clinic}} adına, {{treatment}} sonrası {{name}} için şu önerileri sade bir dille maddeler hâlinde yaz. Yeni tıbbi bilgi ekleme:\n\n{{advice}}',
        ready:
          'Sayın {{name}}, {{treatment}} sonrası dikkat etmeniz gerekenler:\n\n{{advice}}\n\nBeklenmedik bir durumda lütfen bizi arayın. {{clinic}}',
      },
      en: {
        title: 'Aftercare message',
        description: "Passes the doctor's advice on in plain words.",
        labels: {
          name: 'Patient',
          treatment: 'Treatment',
          advice: "The doctor's advice",
          clinic: 'Clinic',
        },
        template:
          'On behalf of {{clinic}}, write this advice for {{name}} after {{treatment}} as a plain list. Add no medical information:\n\n{{advice}}',
        ready:
          'Dear {{name}}, this is what to keep in mind after {{treatment}}:\n\n{{advice}}\n\nPlease call us if anything unexpected happens. {{clinic}}',
      },
    },
  },
  {
    prompt_id: 'check-up-invitation',
    version: 2,
    kind: 'fixed',
    credits_cost: 1,
    min_plan: 'starter',
    task: 'template',
    inputs_schema: fields({ name: LINE, months: MONTHS, clinic: LINE }),
    texts: {
      tr: {
        title: 'Kontrole davet',
        description: 'Uzun süredir gelmeyen hastayı kontrole çağırır.',
        labels: { name: 'Hasta adı', months: 'Son ziyaretten bu yana geçen ay', clinic: 'Klinik' },
        template:
          '{{clinic}} adına, {{months}} aydır gelmeyen {{name}} için korkutmayan, kısa bir kontrol daveti yaz.',
        ready:
          'Sayın {{name}}, son ziyaretinizin üzerinden {{months}} ay geçti. Kontrol için size uygun bir gün ayırmaktan memnun oluruz. {{clinic}}',
      },
      en: {
        title: 'Invitation to a check-up',
        description: 'Invites a patient who has not come for a while.',
        labels: { name: 'Patient', months: 'Months since the last visit', clinic: 'Clinic' },
        template:
          'On behalf of {{clinic}}, write a short invitation to a check-up for {{name}}, last seen {{months}} months ago. Frighten nobody.',
        ready:
          'Dear {{name}}, it is {{months}} months since your last visit. We would be glad to find you a date for a check-up. {{clinic}}',
      },
    },
  },
  {
    prompt_id: 'treatment-explained',
    version: 2,
    kind: 'fixed',
    credits_cost: 5,
    min_plan: 'klinik_pro',
    inputs_schema: fields({ treatment: LINE }, { notes: PASSAGE }),
    texts: {
      tr: {
        title: 'Tedaviyi anlat',
        description: 'Bir tedaviyi hastanın anlayacağı dille açıklar.',
        labels: { treatment: 'Tedavi', notes: 'Hekimin notları' },
        template: [
          'Şu tedaviyi bir hastaya açıkla: {{treatment}}. Ne yapıldığını, ne kadar sürdüğünü ve sonrasında ne beklendiğini anlat. Söz verme, fiyat yazma, kararı hekime bırak.',
          ' Notlar: {{notes}}',
        ],
      },
      en: {
        title: 'Explain a treatment',
        description: 'Explains a treatment in words that patients understand.',
        labels: { treatment: 'Treatment', notes: "The doctor's notes" },
        template: [
          'Explain this treatment to a patient: {{treatment}}. Say what is done, how long it takes and what to expect afterwards. Promise nothing, name no price, leave decisions to the doctor.',
          ' Notes: {{notes}}',
        ],
      },
    },
  },
  {
    prompt_id: 'clinic-assistant',
    version: 2,
    kind: 'bot',
    min_plan: 'klinik_pro',
    inputs_schema: fields({ question: PASSAGE }),
    max_output_tokens: 768,
    texts: {
      tr: {
        title: 'Klinik asistanı',
        description: 'Ön büroya gelen soruları klinik bilgileriyle yanıtlar.',
        labels: { question: 'Soru' },
        template: '{{question}}',
        instructions: [
          'Bir kliniğin ön büro asistanısın. Teşhis koyma, ilaç önerme; acil durumda 112’nin aranmasını söyle. Klinik hakkında yalnız burada yazan bilgilere dayan, burada olmayanı bilmediğini söyle.',
          '\nKlinik: {{memory.about}}',
          '\nSaatler: {{memory.hours}}',
          '\nHizmetler: {{memory.services}}',
        ],
      },
      en: {
        title: 'Clinic assistant',
        description: 'Answers front-desk questions from what the clinic has on record.',
        labels: { question: 'Question' },
        template: '{{question}}',
        instructions: [
          'You are the front-desk assistant of a clinic. Never diagnose or suggest medicine; in an emergency tell people to call 112. About the clinic, rely only on what stands here, and say that you do not know what does not.',
          '\nClinic: {{memory.about}}',
          '\nHours: {{memory.hours}}',
          '\nServices: {{memory.services}}',
        ],
      },
    },
  },
  {
    prompt_id: 'clinic-poster',
    version: 2,
    kind: 'image',
    credits_cost: 20,
    min_plan: 'klinik_pro',
    inputs_schema: fields({ subject: LINE }, { colours: LINE }),
    texts: {
      tr: {
        title: 'Klinik afişi',
        description: 'Bekleme salonu veya ekran için sakin bir görsel.',
        labels: { subject: 'Konu', colours: 'Renkler' },
        template: [
          'Bir kliniğin bekleme salonu için sakin, güven veren bir görsel: {{subject}}.',
          ' Renkler: {{colours}}.',
          ' Kan, iğne ve yazı olmasın.',
        ],
      },
      en: {
        title: 'Clinic poster',
        description: 'A calm image for the waiting room or a screen.',
        labels: { subject: 'Subject', colours: 'Colours' },
        template: [
          'A calm, reassuring image for the waiting room of a clinic: {{subject}}.',
          ' Colours: {{colours}}.',
          ' No blood, no needles, no writing.',
        ],
      },
    },
  },
]
