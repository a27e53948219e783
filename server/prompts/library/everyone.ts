import type { LibraryPrompt } from './prompt.ts'
import { COUNT, LINE, PASSAGE, REWRITTEN, REWRITTEN_TOKENS, fields } from './fields.ts'

/** Prompts for any business. */
export const everyone: readonly LibraryPrompt[] = [
  {
    prompt_id: 'summary',
    version: 1,
    kind: 'fixed',
    credits_cost: 2,
    min_plan: 'starter',
    task: 'summary',
    inputs_schema: fields({ text: PASSAGE }, { sentences: { ...COUNT, default: 3 } }),
    texts: {
      tr: {
        title: 'Metni özetle',
        description: 'Bir metnin en önemli cümlelerini öne çıkarır.',
        labels: { text: 'Metin', sentences: 'Cümle sayısı' },
        template: 'Şu metni {{sentences}} cümlede, kendi dilinde özetle:\n\n{{text}}',
      },
      en: {
        title: 'Summarise a text',
        description: 'Brings out the most important sentences of a text.',
        labels: { text: 'Text', sentences: 'Number of sentences' },
        template:
          'Summarise this text in {{sentences}} sentences, in its own language:\n\n{{text}}',
      },
    },
  },
  {
    prompt_id: 'keywords',
    version: 1,
    kind: 'fixed',
    credits_cost: 1,
    min_plan: 'starter',
    task: 'keywords',
    inputs_schema: fields({ text: PASSAGE }, { count: { ...COUNT, maximum: 30, default: 10 } }),
    texts: {
      tr: {
        title: 'Anahtar kelimeleri bul',
        description: 'Bir metnin konusunu anlatan kelimeleri sıralar.',
        labels: { text: 'Metin', count: 'Kelime sayısı' },
        template:
          'Şu metni en iyi anlatan {{count}} anahtar kelimeyi, her satıra bir tane yaz:\n\n{{text}}',
      },
      en: {
        title: 'Find keywords',
        description: 'Lists the words that tell what a text is about.',
        labels: { text: 'Text', count: 'Number of words' },
        template:
          'List the {{count}} keywords that describe this text best, one a line:\n\n{{text}}',
      },
    },
  },
  {
    prompt_id: 'faq-from-text',
    version: 1,
    kind: 'fixed',
    credits_cost: 3,
    min_plan: 'starter',
    task: 'faq',
    inputs_schema: fields({ text: PASSAGE }, { count: { ...COUNT, default: 5 } }),
    texts: {
      tr: {
        title: 'Metinden sıkça sorulan sorular',
        description: 'Bir sayfadan, cevabı o sayfada duran sorular çıkarır.',
        labels: { text: 'Metin', count: 'Soru sayısı' },
        template:
          'Şu metinden, cevabı metinde olan {{count}} soru ve cevap yaz. Metinde olmayan bir şey ekleme:\n\n{{text}}',
      },
      en: {
        title: 'Questions and answers from a text',
        description: 'Finds questions whose answers stand in the text.',
        labels: { text: 'Text', count: 'Number of questions' },
        template:
          'Write {{count}} questions with answers from this text. Add nothing that is not in it:\n\n{{text}}',
      },
    },
  },
  {
    prompt_id: 'meeting-notes',
    version: 2,
    kind: 'fixed',
    credits_cost: 4,
    min_plan: 'starter',
    task: 'summary',
    inputs_schema: fields({ text: PASSAGE }, { sentences: { ...COUNT, default: 6 } }),
    texts: {
      tr: {
        title: 'Toplantı notu',
        description: 'Ham notlardan kararları ve yapılacakları çıkarır.',
        labels: { text: 'Ham notlar', sentences: 'En çok kaç cümle' },
        template:
          'Şu notlardan kararları ve yapılacakları (kim, ne zaman) en çok {{sentences}} cümlede, maddeler hâlinde yaz. Notlarda olmayan bir şey ekleme:\n\n{{text}}',
      },
      en: {
        title: 'Meeting notes',
        description: 'Draws decisions and tasks from rough notes.',
        labels: { text: 'Rough notes', sentences: 'At most how many sentences' },
        template:
          'From these notes list the decisions and the tasks (who, by when) in at most {{sentences}} sentences. Add nothing that is not in them:\n\n{{text}}',
      },
    },
  },
  {
    prompt_id: 'polite-rewrite',
    version: 2,
    kind: 'fixed',
    credits_cost: 2,
    min_plan: 'starter',
    inputs_schema: fields({ text: REWRITTEN }),
    max_output_tokens: REWRITTEN_TOKENS,
    texts: {
      tr: {
        title: 'Nazikçe yeniden yaz',
        description: 'Bir mesajı aynı anlamda, daha sıcak bir dille yazar.',
        labels: { text: 'Mesaj' },
        template:
          'Şu mesajı anlamını değiştirmeden kibar, sade ve sıcak bir Türkçe ile yeniden yaz. Yalnız mesajı ver:\n\n{{text}}',
      },
      en: {
        title: 'Rewrite politely',
        description: 'Says the same in a warmer tone.',
        labels: { text: 'Message' },
        template:
          'Rewrite this message in polite, plain and warm English without changing what it says. Give only the message:\n\n{{text}}',
      },
    },
  },
  {
    prompt_id: 'translate',
    version: 2,
    kind: 'fixed',
    credits_cost: 3,
    min_plan: 'starter',
    inputs_schema: fields({ text: REWRITTEN, language: LINE }),
    max_output_tokens: REWRITTEN_TOKENS,
    texts: {
      tr: {
        title: 'Çevir',
        description: 'Bir metni başka bir dile çevirir, biçimini korur.',
        labels: { text: 'Metin', language: 'Hangi dile çevrilsin' },
        template:
          'Şu metni {{language}} diline çevir. Biçimini, sayıları ve özel adları koru, yalnız çeviriyi ver:\n\n{{text}}',
      },
      en: {
        title: 'Translate',
        description: 'Translates a text and keeps its form.',
        labels: { text: 'Text', language: 'Into which language' },
        template:
          'Translate this text into {{language}}. Keep its form, numbers and names; give only the translation:\n\n{{text}}',
      },
    },
  },
  {
    prompt_id: 'business-advisor',
    version: 2,
    kind: 'bot',
    min_plan: 'klinik_pro',
    inputs_schema: fields({ question: PASSAGE }, { context: PASSAGE }),
    max_output_tokens: 1_024,
    texts: {
      tr: {
        title: 'İşletme danışmanı',
        description: 'Küçük işletmelerin günlük kararlarında yol gösterir.',
        labels: { question: 'Soru', context: 'Bilinmesi gerekenler' },
        template: ['{{question}}', '\n\nBilinenler: {{context}}'],
        instructions: [
          'Küçük işletmelere danışmanlık yapan bir uzmansın. Kısa, uygulanabilir ve dürüst yanıt ver; bilmediğini söyle, hukuk ve vergi konusunda uzmana yönlendir.',
          ' İşletme hakkında: {{memory.about}}',
        ],
      },
      en: {
        title: 'Business advisor',
        description: 'Helps small businesses with everyday decisions.',
        labels: { question: 'Question', context: 'What to know' },
        template: ['{{question}}', '\n\nWhat is known: {{context}}'],
        instructions: [
          'You advise small businesses. Answer briefly, practically and honestly; say what you do not know, and send people to a professional in law and tax.',
          ' About the business: {{memory.about}}',
        ],
      },
    },
  },
  {
    prompt_id: 'social-image',
    version: 2,
    kind: 'image',
    credits_cost: 15,
    min_plan: 'starter',
    inputs_schema: fields({ subject: LINE }, { style: LINE, count: { ...COUNT, maximum: 4 } }),
    texts: {
      tr: {
        title: 'Sosyal medya görseli',
        description: 'Bir paylaşım için kare görsel üretir.',
        labels: { subject: 'Konu', style: 'Üslup', count: 'Kaç görsel' },
        template: [
          'Sosyal medya paylaşımı için kare bir görsel: {{subject}}.',
          ' Üslup: {{style}}.',
          ' Görselde yazı olmasın.',
        ],
      },
      en: {
        title: 'Social media image',
        description: 'Makes a square image for a post.',
        labels: { subject: 'Subject', style: 'Style', count: 'How many' },
        template: [
          'A square image for a social media post: {{subject}}.',
          ' Style: {{style}}.',
          ' No writing in the image.',
        ],
      },
    },
  },
]
