import type { Config } from '../config.ts'
import { SECOND_MS } from '../lib/durations.ts'
import { mailSender } from '../mail/mail.ts'
import { defect, fine, reasonOf, warning } from './findings.ts'
import type { Finding } from './schema.ts'

const TIMEOUT_MS = 8 * SECOND_MS
const MIN_REDIS = 7
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])
/** What a broken certificate is called by Node. */
const TLS_FAULT = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/

export async function examineRedis({ redisUrl, databaseUrl, limits }: Config): Promise<Finding[]> {
  if (!redisUrl) {
    const isLimited = Object.values(limits).some((limit) => limit > 0)
    if (!databaseUrl || !isLimited) return [fine('redis', 'Not set: this is for one process.')]
    const detail = 'Not set: each process counts the rate limits alone.'
    return [warning('redis', detail, 'Set REDIS_URL where several processes run.')]
  }
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let broken: unknown
  redis.on('error', (error) => (broken ??= error))
  try {
    await redis.connect()
    const startedAt = performance.now()
    await redis.ping()
    const ms = Math.round(performance.now() - startedAt)
    const info = await redis.info('server')
    const version = /^(?:valkey|redis)_version:(\S+)/m.exec(info)?.[1] ?? 'unknown'
    const detail = `Version ${version} answers in ${ms} ms.`
    return Number.parseInt(version, 10) < MIN_REDIS
      ? [defect('redis', detail, 'Use Valkey, or Redis 7 or later.')]
      : [fine('redis', detail)]
  } catch (error) {
    const detail = `No answer: ${reasonOf(broken ?? error)}.`
    const remedy = 'Look at REDIS_URL and the server. Each process allows its part until then.'
    return [defect('redis', detail, remedy)]
  } finally {
    redis.disconnect()
  }
}

/** Connects to the mail server and signs in; sends nothing. */
export async function examineMail(config: Config): Promise<Finding[]> {
  const { smtpUrl } = config
  if (!smtpUrl) {
    const detail = 'No mail goes out: invitations, reset links and summaries are lost after a day.'
    return [warning('mail', detail, 'Set SMTP_URL.')]
  }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  try {
    await transport.verify()
    const detail = `${new URL(smtpUrl).hostname} takes mails from ${mailSender(config).address}.`
    return [fine('mail', detail)]
  } catch (error) {
    const remedy = 'Look at SMTP_URL (user and password URL-encoded), and at the firewall.'
    return [defect('mail', `The mail server refuses: ${reasonOf(error)}.`, remedy)]
  } finally {
    transport.close()
  }
}

/** Asks for the product at the address that browsers use. */
export async function examinePublicUrl({ publicUrl, port }: Config): Promise<Finding[]> {
  const address = publicUrl ?? `http://localhost:${port}`
  const { protocol, hostname } = new URL(address)
  const isLocal = LOCAL_HOSTS.has(hostname)
  try {
    const response = await fetch(`${address}/health/live`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (response.status !== 200 || !text.includes('"status":"ok"')) {
      const detail = `Something else answers at ${address}: status ${response.status}.`
      return [defect('public_url', detail, 'Point the proxy to this product, without a path.')]
    }
  } catch (error) {
    const reason = reasonOf(error)
    const code = error instanceof Error ? error.cause : undefined
    const isTls = code instanceof Error && 'code' in code && TLS_FAULT.test(String(code.code))
    if (isTls) {
      const detail = `The certificate of ${address} is refused: ${reason}.`
      return [defect('public_url', detail, 'Renew it, and serve it with its intermediates.')]
    }
    const remedy = 'Start the product. If it runs, look at the name, the proxy and the firewall.'
    return [warning('public_url', `No answer at ${address} from here: ${reason}.`, remedy)]
  }
  if (isLocal) {
    const detail = `${address} is reached from this machine alone.`
    return [warning('public_url', detail, 'Set PUBLIC_URL to the address that browsers use.')]
  }
  return protocol === 'https:'
    ? [fine('public_url', `${address} leads here.`)]
    : [
        warning(
          'public_url',
          `${address} is not encrypted.`,
          'Set up TLS (docs/deploy.md), and set PUBLIC_URL to the address with https:.',
        ),
      ]
}
