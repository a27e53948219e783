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
import {
  type GenerateRequest,
  type Model,
  ModelFailure,
  type ModelMessage,
  type ToolCall,
  type Usage,
} from '../../models/model.ts'
import type { AnswerEnd, AnswerPiece } from '../../models/embedded/extractive.ts'
import { loadPublicFacts } from '../../prompts/facts.ts'
import type { Hit } from '../../knowledge/search/hit.ts'
import { AnswerFilter } from './checks/answer-filter.ts'
import { AllowedClaims } from './checks/claims.ts'
import { type CheckResult, answerChecks } from './checks/metrics.ts'
import { loadConversationContext } from './conversation-context.ts'
import { extractiveRequest, type TurnReading } from './understanding.ts'
import { type MessageRow, type SessionRow, listVisitorTexts } from '../session/store.ts'
import { type TenantRow, assistantOf } from '../../tenants/tenants.ts'
import type { ChatTool, ToolResult, ToolContext } from '../handoff/chat-tool.ts'
import { findTitleByUrl } from '../../knowledge/documents/store.ts'
import {
  type PromptDocumentData,
  buildCorrection,
  buildPromptDocument,
  buildSystemPrompt,
} from './system-prompt.ts'

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
  /** The limit key of the visitor's device; undefined for members and keys. */
  client: string | undefined
  /** The message as it was understood without a model. */
  understood: TurnReading
  /** The model's search adds to them. */
  hits: Hit[]
  /** The page that the visitor is on; null where it is not known. */
  pageUrl: string | null
  /** Whether an operator asks for a draft: tools, which act for the visitor, are not offered. */
  isDraft?: boolean
}

/**
 * Streams the answer that a model writes from the passages, sentence by sentence, without citation
 * marks and without the system prompt; then its end. A sentence with a number, price, time, phone
 * number, link or e-mail address that no source states is not sent: the model is asked once more, and
 * then the passages are quoted instead. Throws `ModelFailure`.
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
  const document = await loadPromptDocument(ctx, asked)
  const claims = new AllowedClaims()
  for (const source of await listSources(ctx, asked, document)) claims.add(source)
  const systemPrompt = buildSystemPrompt(session.locale)
  const filter = new AnswerFilter(systemPrompt, claims, hits.length)
  const messages: ModelMessage[] = [{ role: 'user', content: buildPromptDocument(document) }]
  const meter = new ModelMeter(ctx.metrics)
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  let form: ToolResult['form']
  let said = ''
  const tools = asked.isDraft ? [] : await listTools(ctx, asked)

  async function* attempt(rounds: number): AsyncGenerator<AnswerPiece> {
    for (let round = 1; round <= rounds && !filter.isLeaking; round += 1) {
      const request: GenerateRequest = {
        instructions: systemPrompt.instructions,
        messages,
        ...(round < rounds && !asked.isDraft ? { tools } : {}),
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        locale: session.locale,
      }
      const calls: ToolCall[] = []
      let isEnded = false
      let gap = filter.content === '' ? '' : ' '
      said = ''
      const call = { signal, meter, backoff: noBackoff }
      for await (const piece of generateWithFailover(models, request, call)) {
        if ('delta' in piece) {
          said += piece.delta
          const delta = filter.push(gap + stripNul(piece.delta))
          gap = ''
          if (delta !== '') yield { delta }
          if (filter.isLeaking || filter.missing.length > 0) break
        } else if ('call' in piece) {
          calls.push(piece.call)
        } else {
          usage.inputTokens += piece.end.usage.inputTokens
          usage.outputTokens += piece.end.usage.outputTokens
          isEnded = true
        }
      }
      if (!isEnded) {
        usage.inputTokens += estimateTokens(JSON.stringify(messages))
        usage.outputTokens += estimateTokens(said)
        break
      }
      if (calls.length === 0) break
      messages.push({ role: 'assistant', content: said, calls })
      for (const each of calls) {
        const before = hits.length
        const outcome = await callTool(ctx, asked, tools, each)
        form = outcome.form ?? form
        for (const hit of hits.slice(before)) claims.add(textOf(hit))
        if (hits.length === before) claims.add(outcome.result)
        const content = JSON.stringify({ result: outcome.result })
        messages.push({ role: 'tool', callId: each.id, content })
      }
      filter.allowPassages(hits.length)
    }
    const delta = filter.end()
    if (delta !== '') yield { delta }
  }

  yield* attempt(MAX_ROUNDS)
  let result: CheckResult = 'passed'
  let replacement: AnswerEnd | undefined
  if (filter.missing.length > 0 && !filter.isLeaking && !signal.aborted) {
    result = 'corrected'
    const { missing, content } = filter
    messages.push({ role: 'assistant', content: said || '…' })
    messages.push({ role: 'user', content: buildCorrection(content, missing) })
    filter.restart()
    try {
      yield* attempt(1)
    } catch (error) {
      // Sent text is kept; if none was sent, the extractive answerer takes over.
      if (!(error instanceof ModelFailure) || filter.content === '') throw error
    }
    if (filter.missing.length > 0 && !filter.isLeaking && !signal.aborted) {
      result = 'replaced'
      for await (const piece of quotePassages(ctx, asked, filter.content, signal)) {
        if ('end' in piece) replacement = piece.end
        else yield piece
      }
    }
  }
  if (!signal.aborted) answerChecks(ctx.metrics).count(result)

  const own = ANSWER_STRINGS[found.language]
  let { content } = filter
  let rest = ''
  if (filter.isLeaking) rest = `${content === '' ? '' : ' '}${own.confidential}`
  else if (content === '' && !replacement && messages.length > 1) rest = own.noted
  if (rest !== '') yield { delta: rest }
  content += rest
  const used = filter.used.filter((place) => isGroundedIn(content, hits[place]))
  const isUnknown = filter.isUnknown && used.length === 0
  const isUngrounded =
    filter.isLeaking || result === 'replaced' || (used.length === 0 && filter.used.length > 0)
  yield {
    end: {
      usage,
      used: filter.isLeaking ? [] : [...new Set([...used, ...(replacement?.used ?? [])])],
      confidence:
        replacement?.confidence ??
        confidenceOf(found.confidence, tenant.answer_threshold, { isUnknown, isUngrounded }),
      isUnknown: content === '' ? (replacement?.isUnknown ?? isUnknown) : isUnknown,
      form,
      meter,
    },
  }
}

/**
 * Streams what the passages say in place of a model's answer that failed its check twice. Behind
 * sentences that were sent, only an answer follows, never "I don't know".
 */
async function* quotePassages(
  ctx: Context,
  asked: GroundedAnswerRequest,
  sent: string,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece> {
  const request = extractiveRequest(ctx, asked)
  const deltas: string[] = []
  for await (const piece of ctx.extractive.answer(request, signal)) {
    if ('delta' in piece) {
      deltas.push(piece.delta)
      continue
    }
    const isShown = sent === '' || !piece.end.isUnknown
    if (isShown && sent !== '') yield { delta: ' ' }
    if (isShown) for (const delta of deltas) yield { delta }
    yield { end: isShown ? piece.end : { ...piece.end, used: [], isUnknown: false } }
  }
}

/** Failover waits for nothing: a visitor is waiting. */
const noBackoff = (): Promise<void> => Promise.resolve()

async function loadPromptDocument(
  ctx: Context,
  { tenant, message, hits, pageUrl }: GroundedAnswerRequest,
): Promise<PromptDocumentData> {
  const { summary, recent } = await loadConversationContext(ctx, message)
  const place = { workspaceId: tenant.workspace_id, tenantId: tenant.id }
  return {
    site: tenant.name,
    now: formatLocalTime(ctx.now(), tenant.time_zone),
    owner: assistantOf(tenant),
    page:
      pageUrl === null
        ? null
        : { title: (await findTitleByUrl(ctx.db, place, pageUrl)) ?? null, url: pageUrl },
    passages: hits.map(({ passage }) => passage),
    facts: await loadPublicFacts(ctx, tenant),
    summary,
    conversation: recent,
    question: message.content,
  }
}

/** Returns the texts that an answer may take numbers, links and addresses from. */
async function listSources(
  ctx: Context,
  { tenant, session, message, hits }: GroundedAnswerRequest,
  { facts, owner, page, conversation }: PromptDocumentData,
): Promise<string[]> {
  const own = { workspaceId: session.workspace_id, sessionId: session.id }
  const earlier =
    message.sequence === 1 ? [] : await listVisitorTexts(ctx.db, own, MAX_VISITOR_MESSAGES)
  return [
    ...hits.map(textOf),
    ...Object.values(facts),
    tenant.name,
    owner.instructions ?? '',
    page?.url ?? '',
    ...conversation.map(({ text }) => text),
    ...earlier,
    message.content,
  ]
}

function textOf({ passage: { title, heading, text, url } }: Hit): string {
  return `${title}\n${heading}\n${text}\n${url ?? ''}`
}

function formatLocalTime(now: number, timeZone: string): string {
  const form = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', timeZone })
  return `${form.format(now)} (${timeZone})`
}

/** Returns the tools of the service and of the site that the turn may use. */
async function listTools(ctx: Context, asked: GroundedAnswerRequest): Promise<ChatTool[]> {
  const lists = await Promise.all(ctx.toolSources.map((source) => source(ctx, asked)))
  return [...ctx.tools, ...lists.flat()].filter((tool) => tool.isOffered(asked))
}

async function callTool(
  ctx: Context,
  asked: GroundedAnswerRequest,
  tools: readonly ChatTool[],
  call: ToolCall,
): Promise<ToolResult> {
  const tool = tools.find((each) => each.name === call.name && each.isOffered(asked))
  if (!tool) return { result: 'This tool does not exist.' }
  const { tenant, session, message, client, hits } = asked
  const own = { workspaceId: session.workspace_id, sessionId: session.id }
  const place: ToolContext = {
    tenant,
    session,
    message,
    client,
    hits,
    transcript: tool.isReadOnly ? [] : await listVisitorTexts(ctx.db, own, MAX_VISITOR_MESSAGES),
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
