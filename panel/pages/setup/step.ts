import type { Words } from '../../locales/en/account/setup.ts'

/** Properties of each step of the first run. `next` opens the following step. */
export interface StepProps {
  words: Words
  next: () => void
}
