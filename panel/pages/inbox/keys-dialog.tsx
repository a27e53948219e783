import type { VNode } from 'preact'
import { KeysHelp } from '../../app/frame/keys-help.tsx'
import type { Words } from '../../locales/en/inbox.ts'

const KEYS = [
  ['next', 'j', '↓'],
  ['previous', 'k', '↑'],
  ['search', '/'],
  ['reply', 'r'],
  ['note', 'n'],
  ['claim', 'c'],
  ['assign', 'a'],
  ['snooze', 's'],
  ['close', 'e'],
  ['back', 'u'],
] as const satisfies readonly (readonly [keyof Words['keys'], ...string[]])[]

/** The keys of the inbox, and those of every page. */
export function KeysDialog({ words, onClose }: { words: Words; onClose: () => void }): VNode {
  return (
    <KeysHelp keys={KEYS.map(([name, ...keys]) => [words.keys[name], ...keys])} onClose={onClose} />
  )
}
