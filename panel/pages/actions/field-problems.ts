import type { Words } from '../../locales/en/actions.ts'

/** English sentences of the API about an action, and the page's sentence for each. */
const RULES: readonly (readonly [RegExp, keyof Words['problems']])[] = [
  [/^names \{\{(\w+)\}\}, which is not a field/, 'unknownField'],
  [/^has \{(\w+)\}: write/, 'singleBraces'],
  [/^names \{(\w+)\}, which is not an input/, 'unknownInput'],
  [/^needs \{(\w+)\} to be a required input/, 'requiredInput'],
  [/^may have \{inputs\}|^has braces/, 'braces'],
  [/^is sent by this service/, 'reservedHeader'],
  [/name of a header|printable ASCII/, 'header'],
  [/JSON Pointer/, 'place'],
  [/letters, digits and|name of letters and digits/, 'name'],
  [/^has more than (\d+)/, 'tooMany'],
  [/^requires an input/, 'schema'],
  [/JSON Schema|keyword/, 'schema'],
]

/** Returns the sentence for a rule of actions; `undefined` for a rule of every form. */
export function explainActionField(message: string, words: Words['problems']): string | undefined {
  for (const [pattern, rule] of RULES) {
    const found = pattern.exec(message)
    if (found) return words[rule](found[1] ?? '')
  }
  return undefined
}
