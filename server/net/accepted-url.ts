import { invalidFields } from '../http/errors.ts'
import { checkTarget, BLOCK_MESSAGES, type TargetPolicy } from './target.ts'

/** The normal form of a URL that may be called; throws 422 at `/url` for any other. */
export function parseTargetUrl(url: string, policy: TargetPolicy): string {
  const judged = checkTarget(url, policy)
  if (judged.ok) return judged.url.href
  throw invalidFields([{ path: '/url', message: BLOCK_MESSAGES[judged.refusal] }])
}
