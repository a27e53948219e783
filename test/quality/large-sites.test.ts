import { expect, test } from 'vitest'
import { buildIndexSync } from '../../server/knowledge/search/search-index.ts'
import { readPassages } from './documents.ts'
import { SETS } from './sets.ts'
import { askVisitor, judgeReply, passagesOf, readUnrelated, readVisitors } from './visitors.ts'

const sites = SETS.find(({ part }) => part === 'asked-apart')?.sites ?? []
const IN_TURKISH: ReadonlySet<string> = new Set(['espresso', 'sacekimi', 'sebzekutusu', 'yurtdisi'])
const CODE = /[`(){}<>=]/

/** Prose on something else, such as a blog beside the pages of a business. */
const blogOf = (set: 'react-tr' | 'fastify-en') =>
  readPassages(set).filter(({ text }) => !CODE.test(text))
const blogs = { tr: blogOf('react-tr'), en: blogOf('fastify-en') }
const indexes = new Map(
  sites.map((site) => {
    const blog = blogs[IN_TURKISH.has(site) ? 'tr' : 'en']
    return [site, buildIndexSync([...passagesOf(site), ...blog])]
  }),
)
const ask = (site: (typeof sites)[number], asked: Parameters<typeof askVisitor>[0]) =>
  askVisitor(asked, indexes.get(site) ?? buildIndexSync([]))

test('a business that also has a long blog answers its visitors as one without', () => {
  const verdicts = sites.flatMap((site) =>
    readVisitors(site, 'asked-apart')
      .filter(({ facts }) => facts.length > 0)
      .map((asked) => judgeReply(ask(site, asked))),
  )
  const share = (verdict: (typeof verdicts)[number]): number =>
    verdicts.filter((each) => each === verdict).length / verdicts.length
  expect(share('right')).toBeGreaterThanOrEqual(0.74)
  expect(share('wrong')).toBeLessThanOrEqual(0.02)
})

test('a business that also has a long blog refuses what has nothing to do with it', () => {
  const answers = sites.flatMap((site) =>
    readUnrelated().map((message) =>
      ask(site, { site, messages: [message], facts: [], notFirst: [] }),
    ),
  )
  const refused = answers.filter(({ answer, reading }) => reading.isTalkOnly || !answer.known)
  expect(refused.length / answers.length).toBeGreaterThanOrEqual(0.95)
})
