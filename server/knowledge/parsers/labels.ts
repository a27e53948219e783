import type { Block } from './blocks.ts'

/** One paragraph of a section that begins in bold is its writer's emphasis. */
const MIN_LABELS = 2
/** A section up to this length stays one list. */
const MAX_LIST_LENGTH = 400
const STEP = /^\d{1,2}[.)] /
const ENDS_LABEL = /[\s:.–—-]+$/
const BEGINS_REST = /^[\s:.–—-]+/
const MAX_LABEL_LENGTH = 100

type Paragraph = Block & { kind: 'paragraph' }
type Labelled = Paragraph & { label: string }

/**
 * Makes headings of the bold words that begin the paragraphs of a section (`No hot water. Turn on the heater`), so that
 * each is found and quoted with its own; of a short section, and of steps, list items.
 */
export function headLabels(section: readonly Block[], depth: number): readonly Block[] {
  if (section.filter(isLabelled).length < MIN_LABELS) return section
  const isShort = section.reduce((sum, { text }) => sum + text.length, 0) <= MAX_LIST_LENGTH
  return section.flatMap((block): Block[] => {
    if (!isLabelled(block)) return [block]
    const name = block.label.replace(ENDS_LABEL, '')
    const rest = block.text.slice(block.label.length).replace(BEGINS_REST, '')
    if (isShort || STEP.test(name)) {
      return [{ kind: 'item', text: `${STEP.test(name) ? '' : '- '}${name}: ${rest}` }]
    }
    return [
      { kind: 'heading', depth, text: name, anchor: undefined, isInText: true },
      { kind: 'paragraph', text: rest },
    ]
  })
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
