import { bookAppointmentTool } from './appointments/tool.ts'
import type { ChatTool } from './chat/handoff/chat-tool.ts'
import { handoffTool } from './chat/handoff/handoff-tool.ts'
import { captureLeadTool } from './leads/tool.ts'

/** What a model that answers a visitor may ask for. */
export const tools: readonly ChatTool[] = [captureLeadTool, handoffTool, bookAppointmentTool]
