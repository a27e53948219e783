import type { LibraryPrompt } from './prompt.ts'
import { COUNT, LINE, PASSAGE, fields } from './fields.ts'

/** Prompts for agencies. */
export const agencies: readonly LibraryPrompt[] = [
  {
    prompt_id: 'campaign-brief',
    version: 2,
    kind: 'fixed',
    credits_cost: 5,
    min_plan: 'starter',
    task: 'template',
    inputs_schema: fields(
      { client: LINE, goal: LINE, audience: LINE, message: LINE },
      { budget: LINE, deadline: LINE },
    ),
    texts: {
      tr: {
        title: 'Kampanya özeti',
        description: 'Ekibin işe başlayabileceği tek sayfalık brief.',
        labels: {
          client: 'Müşteri',
          goal: 'Hedef',
          audience: 'Hedef kitle',
          message: 'Ana mesaj',
          budget: 'Bütçe',
          deadline: 'Son tarih',
        },
        template: [
          '{{client}} için tek sayfalık bir kampanya brief’i yaz. Hedef: {{goal}}. Kitle: {{audience}}. Mesaj: {{message}}.',
          ' Bütçe: {{budget}}.',
          ' Son tarih: {{deadline}}.',
          ' Başarı ölçütleri ve riskler de olsun.',
        ],
        ready:
          '# {{client}}: kampanya özeti\n\n**Hedef:** {{goal}}\n\n**Hedef kitle:** {{audience}}\n\n**Ana mesaj:** {{message}}\n\n**Bütçe:** {{budget}}\n\n**Son tarih:** {{deadline}}\n\n**Onaylayan:** \n\n**Başarı ölçütü:** ',
      },
      en: {
        title: 'Campaign brief',
        description: 'One page from which a team can begin.',
        labels: {
          client: 'Client',
          goal: 'Goal',
          audience: 'Audience',
          message: 'Main message',
          budget: 'Budget',
          deadline: 'Deadline',
        },
        template: [
          'Write a one-page campaign brief for {{client}}. Goal: {{goal}}. Audience: {{audience}}. Message: {{message}}.',
          ' Budget: {{budget}}.',
          ' Deadline: {{deadline}}.',
          ' Include measures of success and risks.',
        ],
        ready:
          '# {{client}}: campaign brief\n\n**Goal:** {{goal}}\n\n**Audience:** {{audience}}\n\n**Main message:** {{message}}\n\n**Budget:** {{budget}}\n\n**Deadline:** {{deadline}}\n\n**Approved by:** \n\n**Measure of success:** ',
      },
    },
  },
  {
    prompt_id: 'ad-copy',
    version: 2,
    kind: 'fixed',
    credits_cost: 3,
    min_plan: 'starter',
    inputs_schema: fields(
      { product: LINE, audience: LINE },
      { tone: LINE, count: { ...COUNT, default: 3 } },
    ),
    texts: {
      tr: {
        title: 'Reklam metni',
        description: 'Başlık ve açıklamasıyla reklam seçenekleri.',
        labels: { product: 'Ürün', audience: 'Hedef kitle', tone: 'Üslup', count: 'Kaç seçenek' },
        template: [
          '{{product}} için {{count}} reklam metni yaz: her biri en çok 30 karakterlik bir başlık ve en çok 90 karakterlik bir açıklama. Hedef kitle: {{audience}}.',
          ' Üslup: {{tone}}.',
          ' Kanıtlanamayan iddia kullanma.',
        ],
      },
      en: {
        title: 'Ad copy',
        description: 'Several ads, each with headline and description.',
        labels: { product: 'Product', audience: 'Audience', tone: 'Tone', count: 'How many' },
        template: [
          'Write {{count}} ads for {{product}}: each with a headline of at most 30 and a description of at most 90 characters. Audience: {{audience}}.',
          ' Tone: {{tone}}.',
          ' Claim nothing that cannot be proved.',
        ],
      },
    },
  },
  {
    prompt_id: 'social-post',
    version: 2,
    kind: 'fixed',
    credits_cost: 2,
    min_plan: 'starter',
    inputs_schema: fields({ subject: PASSAGE }, { network: LINE, tone: LINE }),
    texts: {
      tr: {
        title: 'Sosyal medya paylaşımı',
        description: 'Bir konudan yayına hazır paylaşım.',
        labels: { subject: 'Konu', network: 'Sosyal ağ', tone: 'Üslup' },
        template: [
          'Bir sosyal medya paylaşımı yaz. İlk cümle ilgiyi çeksin, en çok üç etiket kullan.',
          ' Sosyal ağ: {{network}}.',
          ' Üslup: {{tone}}.',
          ' Konu:\n\n{{subject}}',
        ],
      },
      en: {
        title: 'Social media post',
        description: 'A post that is ready to publish.',
        labels: { subject: 'Subject', network: 'Social network', tone: 'Tone' },
        template: [
          'Write a social media post. Let the first sentence catch the eye, and use at most three hashtags.',
          ' Social network: {{network}}.',
          ' Tone: {{tone}}.',
          ' Subject:\n\n{{subject}}',
        ],
      },
    },
  },
  {
    prompt_id: 'hashtags',
    version: 2,
    kind: 'fixed',
    credits_cost: 1,
    min_plan: 'starter',
    task: 'hashtags',
    inputs_schema: fields({ text: PASSAGE }, { count: { ...COUNT, maximum: 15, default: 8 } }),
    texts: {
      tr: {
        title: 'Etiket önerileri',
        description: 'Bir paylaşımın konusuna uyan etiketler.',
        labels: { text: 'Paylaşım', count: 'Kaç etiket' },
        template:
          'Şu paylaşım için # ile başlayan {{count}} etiket öner, her satıra bir tane:\n\n{{text}}',
      },
      en: {
        title: 'Hashtags',
        description: 'Tags that fit what a post is about.',
        labels: { text: 'Post', count: 'How many' },
        template:
          'Suggest {{count}} hashtags for this post, each with its #, one a line:\n\n{{text}}',
      },
    },
  },
  {
    prompt_id: 'report-introduction',
    version: 2,
    kind: 'fixed',
    credits_cost: 3,
    min_plan: 'starter',
    task: 'template',
    inputs_schema: fields({ client: LINE, period: LINE, results: PASSAGE }),
    texts: {
      tr: {
        title: 'Rapor girişi',
        description: 'Aylık müşteri raporunun açılış metni.',
        labels: { client: 'Müşteri', period: 'Dönem', results: 'Sonuçlar' },
        template:
          '{{client}} için {{period}} raporunun girişini yaz: önce en önemli sonuç, sonra nedeni, sonra sıradaki adım. Sonuçlar:\n\n{{results}}',
        ready:
          'Sayın {{client}} ekibi,\n\n{{period}} döneminin sonuçları aşağıdadır.\n\n{{results}}\n\nSorularınız ve sonraki adımlar için görüşmekten memnun oluruz.',
      },
      en: {
        title: 'Introduction to a report',
        description: "Opens a client's monthly report.",
        labels: { client: 'Client', period: 'Period', results: 'Results' },
        template:
          "Write the introduction to {{client}}'s report on {{period}}: the main result, then why, then what comes next. Results:\n\n{{results}}",
        ready:
          'Dear {{client}} team,\n\nHere are the results of {{period}}.\n\n{{results}}\n\nWe look forward to talking about your questions and the next steps.',
      },
    },
  },
  {
    prompt_id: 'strategy-advisor',
    version: 2,
    kind: 'bot',
    min_plan: 'ajans_pro',
    inputs_schema: fields({ question: PASSAGE }, { client: LINE }),
    max_output_tokens: 1_500,
    texts: {
      tr: {
        title: 'Strateji danışmanı',
        description: 'Marka ve kampanya sorularında fikir arkadaşı.',
        labels: { question: 'Soru', client: 'Müşteri' },
        template: ['Müşteri: {{client}}\n\n', '{{question}}'],
        instructions: [
          'Deneyimli bir marka stratejistisin. Önce varsayımlarını söyle, sonra en çok üç seçenek sun ve birini öner.',
          ' Ajans hakkında: {{memory.about}}',
        ],
      },
      en: {
        title: 'Strategy advisor',
        description: 'A partner in questions of brand and campaign.',
        labels: { question: 'Question', client: 'Client' },
        template: ['Client: {{client}}\n\n', '{{question}}'],
        instructions: [
          'You are an experienced brand strategist. State your assumptions, offer at most three options, and recommend one.',
          ' About the agency: {{memory.about}}',
        ],
      },
    },
  },
  {
    prompt_id: 'ad-visual',
    version: 2,
    kind: 'image',
    credits_cost: 30,
    min_plan: 'ajans_pro',
    inputs_schema: fields({ product: LINE, scene: LINE }, { mood: LINE }),
    texts: {
      tr: {
        title: 'Reklam görseli',
        description: 'Bir ürünü sahne içinde gösterir.',
        labels: { product: 'Ürün', scene: 'Sahne', mood: 'Atmosfer' },
        template: [
          'Reklam görseli: {{product}}. Sahne: {{scene}}.',
          ' Atmosfer: {{mood}}.',
          ' Gerçekçi ışık, sade kompozisyon, yazı ve logo yok.',
        ],
      },
      en: {
        title: 'Ad visual',
        description: 'Shows a product in a scene.',
        labels: { product: 'Product', scene: 'Scene', mood: 'Mood' },
        template: [
          'An advertising image: {{product}}. Scene: {{scene}}.',
          ' Mood: {{mood}}.',
          ' Realistic light, simple composition, no writing and no logo.',
        ],
      },
    },
  },
]
