import { z } from 'zod'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import { ExecutePrompt, RunAnswer } from '../../prompts/schema.ts'
import { type RunServices, startRun } from '../../prompts/runs/execute.ts'
import { type McpTool, type McpCall, defineTool } from '../tool.ts'

/** Returns the tool that runs prompts. A cancelled call stops the model, as a closed connection does. */
export function runPromptTool(services: RunServices): McpTool<UserCaller> {
  return defineTool({
    name: 'run_prompt',
    title: 'Run a prompt',
    description:
      'Runs a prompt of the library, or one of your own, and returns what the model wrote. Costs ' +
      'what the prompt costs; `prompts/list` names the prompts with their inputs.',
    route: 'POST /api/v1/prompts/execute',
    isReadOnly: false,
    input: z.strictObject({
      prompt_id: ExecutePrompt.shape.prompt_id.describe('The name of the prompt'),
      inputs: ExecutePrompt.shape.inputs,
      locale: ExecutePrompt.shape.locale,
    }),
    output: RunAnswer,
    run: async (ctx, { caller, request, signal }: McpCall<UserCaller>, input) => {
      const stop = new AbortController()
      signal.addEventListener('abort', () => stop.abort(), { once: true })
      const asked = {
        input: { ...input, stream: false },
        key: undefined,
        requestId: request.id,
        stop,
      }
      for await (const piece of await startRun(ctx, services, caller, asked)) {
        if ('answer' in piece) return piece.answer
      }
      throw new Error('The run ended without a response.')
    },
  })
}
