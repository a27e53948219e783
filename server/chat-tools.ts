import { bookAppointmentTool } from './appointments/tool.ts'
import type { ChatTool } from './chat/handoff/chat-tool.ts'
import { handoffTool } from './chat/handoff/handoff-tool.ts'
import { searchTool } from './chat/turn/search-tool.ts'
import { captureLeadTool } from './leads/tool.ts'

/** The tools that a model may call while it answers a visitor. */
export const tools: readonly ChatTool[] = [
  captureLeadTool,
  handoffTool,
  bookAppointmentTool,
  searchTool,
]
