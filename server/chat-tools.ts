import { openActionDialog } from './actions/dialogs.ts'
import { actionTools } from './actions/tools.ts'
import { bookAppointmentTool } from './appointments/tool.ts'
import type { ChatTool, ToolSource } from './chat/handoff/chat-tool.ts'
import { handoffTool } from './chat/handoff/handoff-tool.ts'
import type { OpenDialog } from './chat/turn/dialog.ts'
import { searchTool } from './chat/turn/search-tool.ts'
import { captureLeadTool } from './leads/tool.ts'

/** The tools that a model may call while it answers a visitor. */
export const tools: readonly ChatTool[] = [
  captureLeadTool,
  handoffTool,
  bookAppointmentTool,
  searchTool,
]

/** What else a model may call, by site. */
export const toolSources: readonly ToolSource[] = [actionTools]

/** What goes before every answerer, with and without a model. */
export const openDialog: OpenDialog = openActionDialog
