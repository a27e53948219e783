import { estimateTokens } from '../../lib/token-estimate.ts'
import { estimateInput } from '../http/completion.ts'
import { chunkText } from './chunk.ts'
import { type GenerateRequest, type Model, ModelFailure } from '../model.ts'
import type { ModelProvider } from '../provider.ts'

const NAME = 'embedded'

const TEXT_UNSUPPORTED =
  'The embedded model summarises, finds keywords and questions, and fills in templates, but writes no free text. Set MODEL_PROVIDER, or choose a model for the workspace.'
const IMAGES_UNSUPPORTED =
  'The embedded model generates no images. Set MODEL_PROVIDER with IMAGE_MODEL_NAME, or choose an image_model for the workspace.'

/**
 * The model without a key and without a network. It runs the tasks of the prompt library on the
 * request's own text, in Turkish and English, and fails with `unable` for everything else.
 */
export const embeddedModel: Model = {
  name: NAME,

  async *generate(request, signal) {
    const { text, isCut } = truncate(await runRequestedTask(request), request.maxOutputTokens)
    for (const delta of chunkText(text)) {
      if (signal.aborted) return
      yield { delta }
    }
    const usage = { inputTokens: estimateInput(request), outputTokens: estimateTokens(text) }
    yield {
      end: { usage, isEstimated: false, model: NAME, finishReason: isCut ? 'length' : 'stop' },
    }
  },

  generateImages() {
    return Promise.reject(new ModelFailure('unable', IMAGES_UNSUPPORTED))
  },
}

/** The provider of the embedded model. */
export const embeddedProvider: ModelProvider = { isLocal: true, model: embeddedModel }

/** Runs the request's task. Throws `ModelFailure` without a task, or without enough text. */
async function runRequestedTask({ task, locale }: GenerateRequest): Promise<string> {
  if (!task) throw new ModelFailure('unable', TEXT_UNSUPPORTED)
  if (task.name === 'template') {
    if (task.text === undefined) throw new ModelFailure('unable', TEXT_UNSUPPORTED)
    return task.text
  }
  // The stemmers are loaded with the first task, because most processes run none at their start.
  const { runTask: workOn } = await import('./tasks.ts')
  const done = workOn({ ...task, name: task.name }, locale)
  if (done !== '') return done
  throw new ModelFailure('unable', 'The text is too short for this task.')
}

/** Truncates a text between words to a number of tokens. */
function truncate(text: string, maxTokens: number): { text: string; isCut: boolean } {
  if (estimateTokens(text) <= maxTokens) return { text, isCut: false }
  let kept = ''
  for (const word of text.split(/(?<=\s)/)) {
    if (estimateTokens(kept + word) > maxTokens) break
    kept += word
  }
  return { text: kept.trimEnd(), isCut: true }
}
