import type { ReadingWords } from '../../en/parts/reading.ts'
import { words as problems } from './reading-problems.ts'

export const words: ReadingWords = {
  states: {
    problems,
    queued: 'Sırada',
    indexing: 'Okunuyor…',
    failed: 'Okunamadı',
    ready: (_count, shown) => `${shown} bölüm`,
    pages: (ready, total) => `${ready}/${total} sayfa okundu`,
  },
  files: {
    drop: 'Dosyaları buraya bırakın',
    kinds: 'PDF, Word, Markdown, HTML ya da metin; her biri en çok 10 MB.',
    choose: 'Dosya seç',
    uploading: (name) => `${name} yükleniyor…`,
    added: (name) => `${name} okunuyor.`,
  },
  ask: {
    question: 'Sorunuz',
    placeholder: 'Bir ziyaretçinin soracağı gibi',
    ask: 'Sor',
    tryThese: 'Deneyin:',
    outcomes: {
      answered: 'Yanıtlandı',
      unsure: 'Emin değil',
      refused: 'Yanıtlanmadı',
      small_talk: 'Hoşbeş',
    },
    reasons: {
      passages_quoted: 'Yanıt aşağıdaki bölümlerden alındı.',
      no_passages: 'Soruya uyan bölüm bulunamadı.',
      below_threshold: 'Bölümler soruyu yeterince açık yanıtlamıyor.',
      small_talk: 'Bu, belgelerle ilgili bir soru değil.',
      model_answered: 'Model aşağıdaki bölümlerden yanıtladı.',
      model_declined: 'Model bölümlerde bir yanıt bulamadı.',
    },
    confidence: (confidence, threshold) => `Güven ${confidence}; yanıt için ${threshold} gerekir.`,
    sources: 'Kaynaklar',
    noSources: 'Bu soruya uyan bir bölüm yok.',
    passages: 'Asistanın bunun için okudukları',
    score: 'Puan',
    fix: 'Belgeyi aç',
    fixHint:
      'Yanıt yanlış mı? Belgesini açıp doğrusunu kendi başlığı altında tek ve açık bir cümleyle yazın.',
    cost: (_count, shown) => `Maliyet: ${shown} kredi.`,
  },
}
