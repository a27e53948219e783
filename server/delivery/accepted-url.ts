import { invalidFields } from '../http/errors.ts'
import { judgeTarget, REFUSALS, type TargetPolicy } from './target.ts'

/** The normal form of a URL that may be called; throws 422 at `/url` for any other. */
export function acceptedUrl(url: string, policy: TargetPolicy): string {
  const judged = judgeTarget(url, policy)
  if (judged.ok) return judged.url.href
  throw invalidFields([{ path: '/url', message: REFUSALS[judged.refusal] }])
}
