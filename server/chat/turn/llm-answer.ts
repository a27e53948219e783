import { ZodError } from 'zod'
import type { Context } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { fold, splitWords } from '../../lib/text/fold.ts'
import { isStopWord } from '../../lib/text/stop-words.ts'
import { estimateTokens } from '../../lib/token-estimate.ts'
import { generateWithFailover } from '../../models/failover.ts'
import { ModelMeter } from '../../models/metrics.ts'
import { answerFromPassages } from '../../models/embedded/answers/answer.ts'
import { ANSWER_STRINGS } from '../../models/embedded/answers/strings.ts'
import type { GenerateRequest, Model, ModelMessage, ToolCall, Usage } from '../../models/model.ts'
import type { AnswerPiece } from '../../models/embedded/extractive.ts'
import { loadPublicFacts } from '../../prompts/facts.ts'
import type { Hit } from '../../knowledge/search/search-index.ts'
import { CitationStripper } from './citation-stream.ts'
import { LeakGuard } from './leak-guard.ts'
import { loadConversationContext } from './conversation-context.ts'
import { type MessageRow, type SessionRow, listVisitorTexts } from '../session/store.ts'
import type { TenantRow } from '../../tenants/tenants.ts'
import type { ToolResult, ToolContext } from '../handoff/chat-tool.ts'
import { buildPromptDocument, buildSystemPrompt } from './system-prompt.ts'

/** Together with the input well within three credits, the maximum price of a turn. */
const MAX_OUTPUT_TOKENS = 500
/** Maximum rounds of tool calls in a turn. */
const MAX_ROUNDS = 3
const MAX_VISITOR_MESSAGES = 100
/** Number of common words that proves an answer is grounded in a passage. */
const MIN_COMMON_WORDS = 2

/** A visitor's message with the passages that retrieval found. */
export interface GroundedAnswerRequest {
  tenant: TenantRow
  session: SessionRow
  message: MessageRow
  hits: readonly Hit[]
}

/**
 * Streams the answer that a model writes from the passages, without citation marks and without the
 * system prompt; then its end. Throws `ModelFailure`.
 */
export async function* generateGroundedAnswer(
  ctx: Context,
  models: readonly Model[],
  asked: GroundedAnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece> {
  const { tenant, session, message, hits } = asked
  const found = answerFromPassages({
    question: message.content,
    locale: session.locale,
    hits,
    threshold: tenant.answer_threshold,
  })
  const frame = buildSystemPrompt(session.locale)
  const marks = new CitationStripper(hits.length)
  const guard = new LeakGuard(frame.instructions, frame.canary)
  const tools = ctx.tools.filter((tool) => tool.isOffered(asked))
  const talk: ModelMessage[] = [{ role: 'user', content: await loadPromptDocument(ctx, asked) }]
  const meter = new ModelMeter(ctx.metrics)
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  let content = ''
  let form: ToolResult['form']

  for (let round = 1; round <= MAX_ROUNDS && !guard.isLeaking; round += 1) {
    const request: GenerateRequest = {
      instructions: frame.instructions,
      messages: talk,
      ...(round < MAX_ROUNDS ? { tools } : {}),
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      locale: session.locale,
    }
    const calls: ToolCall[] = []
    let said = ''
    let isEnded = false
    let gap = content === '' ? '' : ' '
    for await (const piece of generateWithFailover(models, request, {
      signal,
      meter,
      backoff: noBackoff,
    })) {
      if ('delta' in piece) {
        said += piece.delta
        const delta = guard.push(marks.push(gap + stripNul(piece.delta)))
        gap = ''
        if (delta !== '') yield { delta }
        content += delta
        if (guard.isLeaking) break
      } else if ('call' in piece) {
        calls.push(piece.call)
      } else {
        usage.inputTokens += piece.end.usage.inputTokens
        usage.outputTokens += piece.end.usage.outputTokens
        isEnded = true
      }
    }
    if (!isEnded) {
      usage.inputTokens += estimateTokens(JSON.stringify(talk))
      usage.outputTokens += estimateTokens(said)
      break
    }
    if (calls.length === 0) break
    talk.push({ role: 'assistant', content: said, calls })
    for (const call of calls) {
      const outcome = await callTool(ctx, asked, call)
      form = outcome.form ?? form
      talk.push({
        role: 'tool',
        callId: call.id,
        content: JSON.stringify({ result: outcome.result }),
      })
    }
  }

  const own = ANSWER_STRINGS[found.language]
  let rest = guard.push(marks.end()) + guard.end()
  if (guard.isLeaking) rest = `${content === '' ? '' : ' '}${own.confidential}`
  else if (content + rest === '' && talk.length > 1) rest = own.noted
  if (rest !== '') yield { delta: rest }
  content += rest
  const used = marks.used.filter((place) => isGroundedIn(content, hits[place]))
  const isUnknown = marks.isUnknown && used.length === 0
  yield {
    end: {
      usage,
      used: guard.isLeaking ? [] : used,
      confidence: confidenceOf(found.confidence, tenant.answer_threshold, {
        isUnknown,
        isUngrounded: guard.isLeaking || (used.length === 0 && marks.used.length > 0),
      }),
      isUnknown,
      form,
      meter,
    },
  }
}

/** Failover waits for nothing: a visitor is waiting. */
const noBackoff = (): Promise<void> => Promise.resolve()

async function loadPromptDocument(
  ctx: Context,
  { tenant, message, hits }: GroundedAnswerRequest,
): Promise<string> {
  const { summary, recent } = await loadConversationContext(ctx, message)
  return buildPromptDocument({
    site: tenant.name,
    now: formatLocalTime(ctx.now(), tenant.time_zone),
    passages: hits.map(({ passage }) => passage),
    facts: await loadPublicFacts(ctx, tenant),
    summary,
    conversation: recent,
    question: message.content,
  })
}

function formatLocalTime(now: number, timeZone: string): string {
  const form = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', timeZone })
  return `${form.format(now)} (${timeZone})`
}

async function callTool(
  ctx: Context,
  asked: GroundedAnswerRequest,
  call: ToolCall,
): Promise<ToolResult> {
  const tool = ctx.tools.find((each) => each.name === call.name && each.isOffered(asked))
  if (!tool) return { result: 'There is no such tool here.' }
  const { tenant, session, message } = asked
  const own = { workspaceId: session.workspace_id, sessionId: session.id }
  const place: ToolContext = {
    tenant,
    session,
    message,
    transcript: await listVisitorTexts(ctx.db, own, MAX_VISITOR_MESSAGES),
  }
  try {
    const input: unknown = JSON.parse(call.input, (_name, value: unknown) =>
      typeof value === 'string' ? stripNul(value) : value,
    )
    return await tool.run(ctx, place, input)
  } catch (error) {
    if (error instanceof AppError) return { result: `It was not done: ${error.message}` }
    if (error instanceof SyntaxError || error instanceof ZodError)
      return { result: 'The input could not be read.' }
    throw error
  }
}

/** Postgres stores no NUL character. */
function stripNul(text: string): string {
  return text.replaceAll('\0', '')
}

/** Returns whether a text shares words with a passage, beyond its citation mark. */
function isGroundedIn(content: string, hit: Hit | undefined): boolean {
  if (!hit) return false
  const written = new Set(
    splitWords(content)
      .map(fold)
      .filter((word) => word.length > 2 && !isStopWord(word)),
  )
  let common = 0
  for (const word of new Set(splitWords(`${hit.passage.heading} ${hit.passage.text}`).map(fold))) {
    if (written.has(word)) common += 1
    if (common >= Math.min(MIN_COMMON_WORDS, written.size)) return true
  }
  return false
}

/**
 * Returns the confidence of the retrieval, unless the model decides whether the passages hold the
 * answer. An ungrounded citation does not raise the confidence.
 */
function confidenceOf(
  found: number,
  threshold: number,
  { isUnknown, isUngrounded }: { isUnknown: boolean; isUngrounded: boolean },
): number {
  if (isUnknown) return Math.min(found, Math.max(0, threshold - 0.001))
  return isUngrounded ? found : Math.max(found, threshold)
}
