/** The types of requests and responses. The build inlines them, so the package stands alone. */
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
