import type { Words } from '../../locales/en/account/setup.ts'

/** What each step of the first run gets. `next` opens the one after it. */
export interface StepProps {
  words: Words
  next: () => void
}
