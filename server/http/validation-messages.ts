import type { z } from 'zod'

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const COUNTED: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}
const FORMS: Readonly<Record<string, string>> = {
  datetime: 'must be a time like 2026-11-21T09:30:00Z',
  date: 'must be a day like 2026-11-21',
  email: 'must be an e-mail address',
  url: 'must be a URL',
}

/**
 * Returns the message of a validation issue whose schema has no message: in terms of the request, not
 * of the validation library.
 */
export function validationMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${KINDS[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `must ${sizeMessage(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)}`
    case 'too_big':
      return `must ${sizeMessage(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)}`
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'invalid_format':
      return FORMS[issue.format] ?? 'does not have the form that it needs'
    case 'invalid_union':
      return 'has none of the forms that it may have'
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'custom':
      return undefined
  }
}

/** Returns words such as `have at least 1 character` or `be at most 100`. */
function sizeMessage(origin: string, bound: string, size: number | bigint): string {
  const [one, many] = COUNTED[origin] ?? []
  if (!one || !many) return `be ${bound} ${size}`
  return `have ${bound} ${size} ${Number(size) === 1 ? one : many}`
}
