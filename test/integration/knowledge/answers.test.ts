import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addDocument, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { type SetName, readQuestions } from '../../quality/questions.ts'

const KNOWLEDGE = join(import.meta.dirname, '../../data/knowledge')
const SETS: readonly { name: SetName; locale: string }[] = [
  { name: 'react-tr', locale: 'tr' },
  { name: 'fastify-en', locale: 'en' },
]

describeOnDatabase('a site with real documents', (database) => {
  const sites = new Map<SetName, { workspace: TestWorkspace; visitor: string }>()

  const product = useProduct(database)
  beforeAll(async () => {
    for (const { name, locale } of SETS) {
      const workspace = await addWorkspace(product, { tenant: { locale } })
      for (const file of readdirSync(join(KNOWLEDGE, name))) {
        await addDocument(product, workspace, {
          title: file.replace(/\.md$/, ''),
          content: readFileSync(join(KNOWLEDGE, name, file), 'utf8'),
        })
      }
      sites.set(name, { workspace, visitor: await addVisitor(product, workspace) })
    }
  })

  for (const { name } of SETS) {
    test(`answers each named question from the right page (${name})`, async () => {
      const site = sites.get(name)
      const wrong: string[] = []
      for (const { text, documents } of readQuestions(name, 'named')) {
        const { body } = await product.call<Turn>('/api/v1/chatbot/message', {
          token: site?.visitor ?? '',
          body: { tenant_id: site?.workspace.tenantId, message: text },
        })
        const cited = (body.reply?.citations ?? []).slice(0, 2).map(({ title }) => title)
        const isRight =
          documents.length === 0
            ? cited.length === 0 && body.reply?.form === 'lead'
            : documents.some((document) => cited.includes(document))
        if (!isRight) wrong.push(`${text} → ${cited.join(', ') || 'nothing'}`)
      }
      expect(wrong).toEqual([])
    })
  }
})
