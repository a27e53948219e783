/** What travels. The build writes these types out, so that the package needs nothing of the server. */
export type {
  Citation,
  HistoryMessage,
  Reply,
  SendMessage,
  Turn,
} from '../../server/chat/schema.ts'
export type { ManagedLead } from '../../server/leads/schema.ts'
export type { LiveMessage, LiveRead, LiveState, LiveTyping } from '../../server/live/schema.ts'
export type { Prompt, RunAnswer } from '../../server/prompts/schema.ts'
