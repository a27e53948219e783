import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { splitDocument } from '../../server/knowledge/parsers/chunk.ts'
import { buildCitations } from '../../server/chat/turn/citations.ts'
import type { CitedPassage, Hit } from '../../server/knowledge/search/hit.ts'
import {
  buildIndexSync,
  type IndexedPassage,
  search,
  type SearchIndex,
} from '../../server/knowledge/search/search-index.ts'
import { fold } from '../../server/lib/text/fold.ts'
import type { EmbeddedAnswer } from '../../server/models/embedded/answers/answer.ts'
import { answerSeveral } from '../../server/models/embedded/answers/several.ts'
import { DEFAULT_ANSWER_THRESHOLD } from '../../server/models/embedded/answers/confidence.ts'
import {
  type MessageReading,
  readMessage,
} from '../../server/models/embedded/understanding/message.ts'
import { indexed } from './documents.ts'

/**
 * The sites that visitors ask: a shop, a clinic, an agency, a language school, a garage, a hotel, a gym,
 * a town hall, a vet, a service for invoices, a car wash, a service for backups, a pastry shop, a driving
 * school, shared offices, boat trips, a plumber, a language school abroad, a wine hotel, a
 * physiotherapist, a bicycle shop, movers, a carpet washer, a fruit farm, paragliders, a bridal atelier, a piano workshop, a fitter of
 * solar panels, a stationer, a self-storage, translators, a hire of campervans, a clock workshop, dentists, a kayak school,
 * a coffee roaster, furniture makers, a nursery, a boarding house for pets, two repair workshops, two
 * physiotherapists and two shops for wool and for pottery; and in Turkish and in English a hotel, a restaurant, dentists,
 * a gym, a hire of cars, a beauty salon, courses, heating engineers, and a shop for clothes and one for furniture; and
 * once more a physiotherapist, lamps, a travel agency, an estate agency, home textiles, a clinic, dentists and an agency
 * for websites; and a shop for espresso machines, a clinic for hair transplants, accountants, a barn for weddings, boxes of vegetables, agents for studies abroad, hearing aids and care at home;
 * and a private school, a cleaning company, narrowboats and pest control; and car inspections, a garden centre, a campsite and a
 * swimming club; and a wedding venue, a dietitian, opticians and a bicycle hire.
 */
export type Site =
  | 'demo'
  | 'klinik'
  | 'ajans'
  | 'kurs'
  | 'servis'
  | 'otel'
  | 'spor'
  | 'belediye'
  | 'veteriner'
  | 'fatura'
  | 'yikama'
  | 'yedek'
  | 'pastane'
  | 'surucu'
  | 'ofis'
  | 'tekne'
  | 'tesisat'
  | 'dilokulu'
  | 'bagotel'
  | 'fizyo'
  | 'bisiklet'
  | 'nakliyat'
  | 'hali'
  | 'fruit'
  | 'para'
  | 'gelinlik'
  | 'piyano'
  | 'gunes'
  | 'kirtas'
  | 'brackenford'
  | 'lalezar'
  | 'karavan'
  | 'clocks'
  | 'dis'
  | 'kayak'
  | 'kavurma'
  | 'mobilya'
  | 'nursery'
  | 'pansiyon'
  | 'kadran'
  | 'denge'
  | 'ilmek'
  | 'pellow'
  | 'cedar'
  | 'mossgate'
  | 'sehirotel'
  | 'lokanta'
  | 'disklinigi'
  | 'giyim'
  | 'sporsalonu'
  | 'arackiralama'
  | 'guzellik'
  | 'dershane'
  | 'kombiservisi'
  | 'seahotel'
  | 'bistro'
  | 'dental'
  | 'furnshop'
  | 'leisure'
  | 'carhire'
  | 'salon'
  | 'langschool'
  | 'boilers'
  | 'catering'
  | 'gozluk'
  | 'tiyatro'
  | 'locksmith'
  | 'yoga'
  | 'printshop'
  | 'anaokulu'
  | 'cicek'
  | 'lastik'
  | 'bookshop'
  | 'climbing'
  | 'kitchens'
  | 'hareketevi'
  | 'lumen'
  | 'rota'
  | 'hearthside'
  | 'pamuk'
  | 'ashgrove'
  | 'inci'
  | 'northpin'
  | 'espresso'
  | 'sacekimi'
  | 'accountants'
  | 'barn'
  | 'sebzekutusu'
  | 'yurtdisi'
  | 'hearing'
  | 'homecare'
  | 'halisaha'
  | 'mobilyaevi'
  | 'driving'
  | 'bakery'
  | 'sigorta'
  | 'suaritma'
  | 'tattoo'
  | 'heatpump'
  | 'kolej'
  | 'temizlik'
  | 'narrowboat'
  | 'pest'
  | 'ekspertiz'
  | 'garden'
  | 'campsite'
  | 'yuzme'
  | 'dugun'
  | 'diyet'
  | 'optician'
  | 'bikes'

/** A file of questions of a site. */
export type Part =
  | 'tuned'
  | 'held-out'
  | 'fresh'
  | 'unseen'
  | 'newest'
  | 'untouched'
  | 'recent'
  | 'latest'
  | 'first-count'
  | 'unfitted'
  | 'reworded'
  | 'autumn'
  | 'everyday'
  | 'plain'
  | 'questions-first'
  | 'newcomers'
  | 'in-english'
  | 'in-turkish'
  | 'in-german'
  | 'in-arabic'
  | 'usual-trades'
  | 'asked-apart'
  | 'asked-later'

/** The outcome of a question. */
export type Verdict = 'right' | 'partly' | 'refused' | 'wrong'

/**
 * A line of the files in `visitors/`: `question | fact; fact`, or `question | none`. A fact stands in the reply,
 * in one of its spellings (` / `); `!text` may not stand in its first sentence. ` >> ` separates the
 * messages of a conversation, of which the last one is judged.
 */
export interface VisitorQuestion {
  site: Site
  messages: readonly string[]
  facts: readonly (readonly string[])[]
  notFirst: readonly string[]
}

export interface Reply {
  asked: VisitorQuestion
  reading: MessageReading
  hits: readonly Hit[]
  answer: EmbeddedAnswer
}

const MAX_HITS = 8
/** The parts that have a folder of their own, by site. */
const IN_FOLDERS: ReadonlySet<Part> = new Set<Part>([
  'recent',
  'latest',
  'first-count',
  'unfitted',
  'reworded',
  'autumn',
  'everyday',
  'plain',
  'questions-first',
  'newcomers',
  'in-english',
  'in-turkish',
  'in-german',
  'in-arabic',
  'usual-trades',
  'asked-apart',
  'asked-later',
])
const ROOT = join(import.meta.dirname, '../..')

const folderOf = (site: Site): string =>
  site === 'demo' ? join(ROOT, 'server/demo/documents') : join(ROOT, 'test/data/sites', site)

/** The passages of a site's documents. */
export function passagesOf(site: Site): IndexedPassage[] {
  const folder = folderOf(site)
  return readdirSync(folder).flatMap((file) => {
    const content = readFileSync(join(folder, file), 'utf8')
    const title = /^# (.+)$/m.exec(content)?.[1] ?? file
    return indexed(title, splitDocument({ kind: 'markdown', title, content }))
  })
}

/** The index of a site's documents. */
export const buildSite = (site: Site): SearchIndex => buildIndexSync(passagesOf(site))

/** Questions and requests that have nothing to do with any of the sites. */
export const readUnrelated = (): string[] =>
  readFileSync(join(import.meta.dirname, 'visitors/unrelated.txt'), 'utf8')
    .trim()
    .split('\n')

export function readVisitors(site: Site, part: Part): VisitorQuestion[] {
  const name = IN_FOLDERS.has(part) ? join(part, `${site}.txt`) : `${site}.${part}.txt`
  const file = join(import.meta.dirname, 'visitors', name)
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [messages = '', wanted = ''] = line.split(' | ')
      const facts = wanted === 'none' ? [] : wanted.split('; ')
      return {
        site,
        messages: messages.split(' >> '),
        facts: facts.filter((fact) => !fact.startsWith('!')).map((fact) => fact.split(' / ')),
        notFirst: facts.filter((fact) => fact.startsWith('!')).map((fact) => fact.slice(1)),
      }
    })
}

/** Asks the last message of a conversation as the chat does without a model. */
export function askVisitor(asked: VisitorQuestion, index: SearchIndex): Reply {
  const question = asked.messages.at(-1) ?? ''
  const reading = readMessage(question, {
    locale: 'tr',
    question: asked.messages.at(-2),
    before: asked.messages.at(-3),
    cited: citedBefore(asked, index),
  })
  const hits = reading.isTalkOnly ? [] : search(index, reading.search, MAX_HITS)
  const further = reading.further.map((each) => ({
    ...each,
    hits: search(index, each.reading.search, MAX_HITS),
  }))
  const threshold = DEFAULT_ANSWER_THRESHOLD
  const answer = answerSeveral({ question, reading, hits, threshold }, further)
  return { asked, reading, hits: [hits, ...further.map((each) => each.hits)].flat(), answer }
}

/** What the reply to the message before cites: each page once, as the chat stores it. */
function citedBefore(asked: VisitorQuestion, index: SearchIndex): CitedPassage[] {
  if (asked.messages.length === 1) return []
  const { answer, hits } = askVisitor({ ...asked, messages: asked.messages.slice(0, -1) }, index)
  return buildCitations(index, hits, answer.used, answer.content)
}

/** Whether a text has these words, and not only longer ones: "not sure" is no "no". */
function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const around = `${text.charAt(at - 1)} ${text.charAt(at + words.length)}`
    if (!/[\p{L}\d]/u.test(around)) return true
  }
  return false
}

/**
 * Judges a reply to a question that the documents answer: right if every fact stands in it, partly if
 * some do. A reply without any is wrong, unless it says that it is not sure and names other topics:
 * that counts as refused.
 */
export function judgeReply({ asked, answer }: Reply): Verdict {
  if (!answer.known && answer.used.length === 0) return 'refused'
  const content = fold(answer.content)
  const found = asked.facts.filter((spellings) =>
    spellings.some((spelling) => content.includes(fold(spelling))),
  )
  // The heading of a quote is none of its words.
  const [first = ''] = content.replace(/^\*\*[^*]*\*\*\s/, '').split(/[.!?]\s/)
  const isMisled = asked.notFirst.some((text) => hasWords(first, fold(text)))
  if (found.length === 0 || isMisled)
    return !answer.known || (answer.topics.length > 0 && !isMisled) ? 'refused' : 'wrong'
  return found.length === asked.facts.length ? 'right' : 'partly'
}
