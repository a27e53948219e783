import { z } from 'zod'
import { publicEvent } from './descriptor.ts'

const RUN = {
  run_id: 'run_6GhYb3NxTq8WmKz1RvLcPd',
  prompt_id: 'blog-outline',
  user_id: 'usr_4DfJw9RnXs2VtKy7QmBcHz',
  request_id: 'req_8MsQk5VzLp3TnWx9YbHcRj',
}

/** Events of prompt runs. */
export const promptEvents = {
  'prompt.executed': publicEvent(
    {
      data: z.object({
        run_id: z.string(),
        prompt_id: z.string(),
        prompt_version: z.int(),
        user_id: z.string(),
        credits_used: z.number(),
        credits_remaining: z.number(),
        duration_ms: z.int(),
        locale: z.string(),
        request_id: z.string(),
      }),
      sample: {
        run_id: RUN.run_id,
        prompt_id: RUN.prompt_id,
        prompt_version: 3,
        user_id: RUN.user_id,
        credits_used: 4,
        credits_remaining: 18_231,
        duration_ms: 1_840,
        locale: 'tr',
        request_id: RUN.request_id,
      },
    },
    { publicName: 'prompt.executed' },
  ),
  'prompt.failed': publicEvent(
    {
      data: z.object({
        run_id: z.string(),
        prompt_id: z.string(),
        user_id: z.string(),
        code: z.string(),
        detail: z.string(),
        request_id: z.string(),
      }),
      sample: { ...RUN, code: 'model_timeout', detail: 'The model was silent for 60 s.' },
    },
    { publicName: 'prompt.failed' },
  ),
  /** The worker of a run died, and the credits that the run held went back. */
  'hold.lapsed': { data: z.object({ run_id: z.string() }) },
}
