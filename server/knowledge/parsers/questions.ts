import type { Block } from './blocks.ts'
import { headLabels } from './labels.ts'

/** A question at the start of a paragraph, after one more sentence at most, and its answer. */
const QUESTION = /^((?:[^.!?؟]{1,80}[.!] )?[^.!?؟]{5,140}[?؟])(?:\s+(\S[^]*))?$/
/** A single question in a text is one of its writer's. */
const MIN_QUESTIONS = 2

interface Asked {
  question: string
  answer: string
}

/**
 * Makes headings of the questions of a section that asks and answers several, each in a paragraph of its
 * own: every answer then is found, and quoted, with its own question. See also `headLabels`.
 */
export function headQuestions(blocks: readonly Block[]): Block[] {
  const headed: Block[] = []
  let section: Block[] = []
  let depth = 1
  const close = (): void => {
    headed.push(...headSection(section, depth + 1))
    section = []
  }
  for (const block of blocks) {
    if (block.kind === 'heading') {
      close()
      headed.push(block)
      depth = block.depth
    } else section.push(block)
  }
  close()
  return headed
}

function headSection(blocks: readonly Block[], depth: number): Block[] {
  const section = headLabels(blocks, depth)
  const asked = section.map((block, at) => readQuestion(block, section[at + 1]))
  if (asked.filter((each) => each !== undefined).length < MIN_QUESTIONS) return [...section]
  return section.flatMap((block, at): Block[] => {
    const each = asked[at]
    if (each === undefined) return [block]
    const { question: text, answer } = each
    const heading: Block = { kind: 'heading', depth, text, anchor: undefined, isInText: true }
    return answer === '' ? [heading] : [heading, { kind: 'paragraph', text: answer }]
  })
}

/** The question of a paragraph with its answer; the answer may also be the next block. */
function readQuestion(block: Block, next: Block | undefined): Asked | undefined {
  if (block.kind !== 'paragraph') return undefined
  const [, question, answer = ''] = QUESTION.exec(block.text) ?? []
  if (question === undefined || (answer === '' && next === undefined)) return undefined
  return { question, answer }
}
