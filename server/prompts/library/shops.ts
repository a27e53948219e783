import type { LibraryPrompt } from './prompt.ts'
import { COUNT, LINE, PASSAGE, fields } from './fields.ts'

/** Prompts for shops. */
export const shops: readonly LibraryPrompt[] = [
  {
    prompt_id: 'product-description',
    version: 2,
    kind: 'fixed',
    credits_cost: 3,
    min_plan: 'starter',
    task: 'template',
    inputs_schema: fields({ product: LINE, features: PASSAGE }, { audience: LINE }),
    texts: {
      tr: {
        title: 'Ürün açıklaması',
        description: 'Özelliklerden, satın almaya yardım eden bir metin.',
        labels: { product: 'Ürün', features: 'Özellikler', audience: 'Kimler için' },
        template: [
          '{{product}} için 80–120 kelimelik bir ürün açıklaması yaz.',
          ' Hedef kitle: {{audience}}.',
          ' Yalnız şu özellikleri kullan:\n\n{{features}}',
        ],
        ready: ['**{{product}}**\n\n{{features}}', '\n\nKimler için: {{audience}}'],
      },
      en: {
        title: 'Product description',
        description: 'Turns features into a text that helps people to choose.',
        labels: { product: 'Product', features: 'Features', audience: 'For whom' },
        template: [
          'Write a product description of {{product}} in 80 to 120 words.',
          ' Audience: {{audience}}.',
          ' Use only these features:\n\n{{features}}',
        ],
        ready: ['**{{product}}**\n\n{{features}}', '\n\nFor whom: {{audience}}'],
      },
    },
  },
  {
    prompt_id: 'cart-reminder',
    version: 2,
    kind: 'fixed',
    credits_cost: 1,
    min_plan: 'starter',
    task: 'template',
    inputs_schema: fields({ name: LINE, product: LINE, shop: LINE }, { link: LINE }),
    texts: {
      tr: {
        title: 'Sepet hatırlatma',
        description: 'Sepette kalan ürünü baskı yapmadan hatırlatır.',
        labels: { name: 'Müşteri adı', product: 'Ürün', shop: 'Mağaza', link: 'Bağlantı' },
        template: [
          '{{shop}} adına, sepetinde {{product}} kalan {{name}} için baskı yapmayan kısa bir hatırlatma yaz.',
          ' Bağlantı: {{link}}',
        ],
        ready: [
          'Merhaba {{name}}, {{product}} sepetinizde sizi bekliyor.',
          ' Kaldığınız yerden devam edebilirsiniz: {{link}}',
          '\n\n{{shop}}',
        ],
      },
      en: {
        title: 'Cart reminder',
        description: 'Reminds of what is left in the cart, without pressure.',
        labels: { name: 'Customer', product: 'Product', shop: 'Shop', link: 'Link' },
        template: [
          'On behalf of {{shop}}, write a short reminder without pressure to {{name}}, who left {{product}} in the cart.',
          ' Link: {{link}}',
        ],
        ready: [
          'Hello {{name}}, {{product}} is still in your cart.',
          ' You can go on where you left off: {{link}}',
          '\n\n{{shop}}',
        ],
      },
    },
  },
  {
    prompt_id: 'shipping-notice',
    version: 1,
    kind: 'fixed',
    credits_cost: 1,
    min_plan: 'starter',
    task: 'template',
    inputs_schema: fields({ name: LINE, order: LINE, carrier: LINE, tracking: LINE, shop: LINE }),
    texts: {
      tr: {
        title: 'Kargo bildirimi',
        description: 'Siparişin yola çıktığını haber verir.',
        labels: {
          name: 'Müşteri adı',
          order: 'Sipariş no',
          carrier: 'Kargo',
          tracking: 'Takip no',
          shop: 'Mağaza',
        },
        template:
          '{{shop}} adına {{name}} için kısa bir kargo bildirimi yaz. Sipariş {{order}}, {{carrier}}, takip {{tracking}}.',
        ready:
          'Merhaba {{name}}, {{order}} numaralı siparişiniz {{carrier}} ile yola çıktı. Takip numaranız: {{tracking}}. {{shop}}',
      },
      en: {
        title: 'Shipping notice',
        description: 'Tells a customer that the order is on its way.',
        labels: {
          name: 'Customer',
          order: 'Order',
          carrier: 'Carrier',
          tracking: 'Tracking number',
          shop: 'Shop',
        },
        template:
          'On behalf of {{shop}}, write a short shipping notice to {{name}}. Order {{order}}, {{carrier}}, tracking number {{tracking}}.',
        ready:
          'Hello {{name}}, your order {{order}} is on its way with {{carrier}}. Tracking number: {{tracking}}. {{shop}}',
      },
    },
  },
  {
    prompt_id: 'return-answer',
    version: 1,
    kind: 'fixed',
    credits_cost: 2,
    min_plan: 'starter',
    task: 'template',
    inputs_schema: fields({ name: LINE, product: LINE, steps: PASSAGE, shop: LINE }),
    texts: {
      tr: {
        title: 'İade yanıtı',
        description: 'İade isteyen müşteriye adımları anlatır.',
        labels: { name: 'Müşteri adı', product: 'Ürün', steps: 'Adımlar', shop: 'Mağaza' },
        template:
          '{{shop}} adına, {{product}} iadesi isteyen {{name}} için anlayışlı bir yanıt yaz. Adımlar:\n\n{{steps}}',
        ready:
          'Merhaba {{name}}, {{product}} için iade talebinizi aldık. Yapmanız gerekenler:\n\n{{steps}}\n\nYardıma ihtiyaç duyarsanız buradayız. {{shop}}',
      },
      en: {
        title: 'Answer to a return',
        description: 'Explains the steps to a customer who sends something back.',
        labels: { name: 'Customer', product: 'Product', steps: 'Steps', shop: 'Shop' },
        template:
          'On behalf of {{shop}}, write an understanding answer to {{name}}, who returns {{product}}. Steps:\n\n{{steps}}',
        ready:
          'Hello {{name}}, we have your request to return {{product}}. This is what to do:\n\n{{steps}}\n\nWe are here if you need help. {{shop}}',
      },
    },
  },
  {
    prompt_id: 'product-faq',
    version: 2,
    kind: 'fixed',
    credits_cost: 3,
    min_plan: 'starter',
    task: 'faq',
    inputs_schema: fields({ text: PASSAGE }, { count: { ...COUNT, default: 5 } }),
    texts: {
      tr: {
        title: 'Ürün soruları ve cevapları',
        description: 'Ürün sayfasından müşterilerin soracağı sorular.',
        labels: { text: 'Ürün sayfası', count: 'Soru sayısı' },
        template:
          'Şu ürün sayfasından, müşterilerin soracağı ve cevabı sayfada olan {{count}} soru ve cevap yaz:\n\n{{text}}',
      },
      en: {
        title: 'Product questions',
        description: 'Questions that customers ask, answered from the page.',
        labels: { text: 'Product page', count: 'Number of questions' },
        template:
          'From this product page write {{count}} questions that customers would ask, with the answers that stand in it:\n\n{{text}}',
      },
    },
  },
  {
    prompt_id: 'review-digest',
    version: 1,
    kind: 'fixed',
    credits_cost: 4,
    min_plan: 'starter',
    task: 'summary',
    inputs_schema: fields({ text: PASSAGE }, { sentences: { ...COUNT, default: 5 } }),
    texts: {
      tr: {
        title: 'Yorum özeti',
        description: 'Müşteri yorumlarında neyin tekrarlandığını gösterir.',
        labels: { text: 'Yorumlar', sentences: 'Cümle sayısı' },
        template:
          'Şu yorumlarda en sık geçen övgüleri ve şikâyetleri {{sentences}} cümlede özetle:\n\n{{text}}',
      },
      en: {
        title: 'Digest of reviews',
        description: 'Shows what customers say again and again.',
        labels: { text: 'Reviews', sentences: 'Number of sentences' },
        template:
          'Sum up in {{sentences}} sentences what these reviews praise and complain about most:\n\n{{text}}',
      },
    },
  },
  {
    prompt_id: 'shop-advisor',
    version: 2,
    kind: 'bot',
    min_plan: 'eticaret_pro',
    inputs_schema: fields({ question: PASSAGE }, { products: PASSAGE }),
    max_output_tokens: 768,
    texts: {
      tr: {
        title: 'Alışveriş danışmanı',
        description: 'Ürün listesinden ihtiyaca uyanı önerir.',
        labels: { question: 'Soru', products: 'Ürünler' },
        template: ['Ürünler:\n{{products}}\n\n', 'Soru: {{question}}'],
        instructions: [
          'Bir mağazanın alışveriş danışmanısın. Yalnız verilen ürünlerden en çok üç tanesini, nedeniyle öner; uygun olan yoksa söyle.',
          ' Mağaza: {{memory.about}}',
        ],
      },
      en: {
        title: 'Shopping advisor',
        description: 'Picks from a list of products what fits a need.',
        labels: { question: 'Question', products: 'Products' },
        template: ['Products:\n{{products}}\n\n', 'Question: {{question}}'],
        instructions: [
          'You advise the customers of a shop. Recommend at most three of the given products and say why; say so when none fits.',
          ' Shop: {{memory.about}}',
        ],
      },
    },
  },
  {
    prompt_id: 'product-photo',
    version: 2,
    kind: 'image',
    credits_cost: 25,
    min_plan: 'eticaret_pro',
    inputs_schema: fields({ product: LINE }, { background: LINE, count: { ...COUNT, maximum: 4 } }),
    texts: {
      tr: {
        title: 'Ürün görseli',
        description: 'Bir ürünün sade zeminde görseli.',
        labels: { product: 'Ürün', background: 'Zemin', count: 'Kaç görsel' },
        template: [
          'Stüdyo çekimi gibi bir ürün görseli: {{product}}.',
          ' Zemin: {{background}}.',
          ' Yumuşak ışık, keskin odak, yazı yok.',
        ],
      },
      en: {
        title: 'Product image',
        description: 'A product on a plain background.',
        labels: { product: 'Product', background: 'Background', count: 'How many' },
        template: [
          'A product image as if shot in a studio: {{product}}.',
          ' Background: {{background}}.',
          ' Soft light, sharp focus, no writing.',
        ],
      },
    },
  },
]
