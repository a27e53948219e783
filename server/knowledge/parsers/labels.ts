import type { Block } from './blocks.ts'

/** One paragraph of a section that is in bold, or begins so, is its writer's emphasis. */
const MIN_LABELS = 2
/** A section up to this length stays one list. */
const MAX_LIST_LENGTH = 400
const STEP = /^\d{1,2}[.)] /
const ENDS_LABEL = /[\s:.–—-]+$/
const BEGINS_REST = /^[\s:.–—-]+/
const MAX_LABEL_LENGTH = 100
/** A whole paragraph in bold that is longer is a remark. */
const MAX_TITLE_LENGTH = 80

type Paragraph = Block & { kind: 'paragraph' }
type Labelled = Paragraph & { label: string }

/**
 * Makes headings of the bold words that begin the paragraphs of a section (`No hot water. Turn on the heater`), so that
 * each is found and quoted with its own, and of paragraphs wholly in bold; of a short section, and of steps, list items.
 */
export function headLabels(section: readonly Block[], depth: number): readonly Block[] {
  const isTitle = section.map((block, at) => isBoldTitle(block, section[at + 1]))
  const count = section.filter((block, at) => isLabelled(block) || isTitle[at] === true).length
  if (count < MIN_LABELS) return section
  const isShort = section.reduce((sum, { text }) => sum + text.length, 0) <= MAX_LIST_LENGTH
  return section.flatMap((block, at): Block[] => {
    if (isTitle[at] === true) return [headingOf(block.text, depth)]
    if (!isLabelled(block)) return [block]
    const name = block.label.replace(ENDS_LABEL, '')
    const rest = block.text.slice(block.label.length).replace(BEGINS_REST, '')
    if (isShort || STEP.test(name)) {
      return [{ kind: 'item', text: `${STEP.test(name) ? '' : '- '}${name}: ${rest}` }]
    }
    return [headingOf(name, depth), { kind: 'paragraph', text: rest }]
  })
}

const headingOf = (text: string, depth: number): Block => ({
  kind: 'heading',
  depth,
  text: text.replace(ENDS_LABEL, ''),
  anchor: undefined,
  isInText: true,
})

/** Whether a paragraph is a short text wholly in bold, which is neither a sentence nor a question, before another block. */
function isBoldTitle(block: Block, next: Block | undefined): boolean {
  if (block.kind !== 'paragraph' || block.label !== block.text || next === undefined) return false
  const isFollowed = next.kind !== 'paragraph' || next.label !== next.text
  return isFollowed && block.text.length <= MAX_TITLE_LENGTH && /[^.!?؟…]$/.test(block.text)
}

/** Whether a paragraph goes on after its bold words, which are no question and not only the start of a sentence. */
function isLabelled(block: Block): block is Labelled {
  if (block.kind !== 'paragraph' || block.label === undefined) return false
  const { label, text } = block
  const rest = text.slice(label.length)
  return (
    text.startsWith(label) &&
    label.length <= MAX_LABEL_LENGTH &&
    label.replace(ENDS_LABEL, '') !== '' &&
    rest.replace(BEGINS_REST, '') !== '' &&
    (/[.:!]$/.test(label) || /^\s*[:–—-]/.test(rest))
  )
}
