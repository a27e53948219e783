import { once } from 'node:events'
import { type Socket, createServer } from 'node:net'

/** A mail as it arrived, and what it says. */
export interface ReceivedMail {
  from: string
  to: string[]
  /** Names in lower case; words that were encoded for the way (RFC 2047) are readable again. */
  headers: Record<string, string>
  text: string
  /** Every part but the first; `method` is that of a calendar. */
  attachments: {
    filename: string
    mediaType: string
    method: string | undefined
    content: string
  }[]
  raw: string
}

/** The server's reply at a step of the dialogue, or the way it breaks off. */
export type SmtpAct =
  | 'take'
  /** A reply such as `550 No such person` to the recipient's name. */
  | { rcpt: string }
  /** A reply to the mail itself, once it is there. */
  | { data: string }
  /** Cuts the connection in the middle of the mail. */
  | 'cut'
  /** Says nothing at all. */
  | 'silence'

export interface SmtpServer {
  /** For `SMTP_URL`. */
  url: string
  received: ReceivedMail[]
  /** Names that were logged in with, by AUTH PLAIN. */
  logins: string[]
  connections: number
  act: SmtpAct
  /** Resolves with the first `count` mails once they are there. */
  waitFor(count: number): Promise<ReceivedMail[]>
  close(): Promise<void>
}

/** Starts a mail server on loopback that speaks SMTP (RFC 5321), as scripted. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const waiting: { count: number; done: () => void }[] = []
  const server = createServer((socket) => {
    smtp.connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    talk(socket, smtp, (mail) => {
      smtp.received.push(mail)
      for (const { count, done } of waiting) if (smtp.received.length >= count) done()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const smtp: SmtpServer = {
    url: `smtp://sender:a%20password@127.0.0.1:${port}`,
    received: [],
    logins: [],
    connections: 0,
    act: 'take',
    waitFor: async (count) => {
      if (smtp.received.length < count) {
        await new Promise<void>((done) => waiting.push({ count, done }))
      }
      return smtp.received.slice(0, count)
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return smtp
}

function talk(socket: Socket, smtp: SmtpServer, take: (mail: ReceivedMail) => void): void {
  if (smtp.act === 'silence') return
  let from = ''
  let to: string[] = []
  let data: string[] | undefined
  let rest = ''
  const say = (line: string) => socket.write(`${line}\r\n`)
  say('220 mail.test ESMTP')
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) hear(line)
  })

  function hear(line: string): void {
    if (data) return hearData(line, data)
    const [verb = '', ...words] = line.split(' ')
    const path = /<([^>]*)>/.exec(line)?.[1] ?? ''
    switch (verb.toUpperCase()) {
      case 'EHLO':
        say('250-mail.test')
        say('250-AUTH PLAIN')
        say('250 8BITMIME')
        return
      case 'AUTH': {
        const [, name = ''] = Buffer.from(words[1] ?? '', 'base64')
          .toString()
          .split('\0')
        smtp.logins.push(name)
        say('235 2.7.0 Welcome')
        return
      }
      case 'MAIL':
        from = path
        say('250 2.1.0 Fine')
        return
      case 'RCPT':
        if (typeof smtp.act === 'object' && 'rcpt' in smtp.act) return void say(smtp.act.rcpt)
        to.push(path)
        say('250 2.1.5 Fine')
        return
      case 'DATA':
        data = []
        say('354 Go ahead')
        return
      case 'RSET':
        from = ''
        to = []
        say('250 2.0.0 Fine')
        return
      case 'QUIT':
        say('221 2.0.0 Bye')
        socket.end()
        return
      default:
        say('502 5.5.2 I do not know that')
    }
  }

  function hearData(line: string, lines: string[]): void {
    if (smtp.act === 'cut') return void socket.destroy()
    if (line !== '.') {
      lines.push(line.startsWith('.') ? line.slice(1) : line)
      return
    }
    data = undefined
    if (typeof smtp.act === 'object' && 'data' in smtp.act) return void say(smtp.act.data)
    take(readMail(lines.join('\r\n'), { from, to }))
    say('250 2.0.0 Taken')
    to = []
  }
}

interface Part {
  headers: Record<string, string>
  body: string
}

function readMail(raw: string, envelope: { from: string; to: string[] }): ReceivedMail {
  const { headers, body } = readPart(raw)
  const [first = { headers, body }, ...others] = leavesOf({ headers, body })
  return {
    ...envelope,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, readWords(value)]),
    ),
    text: decode(first),
    attachments: others.map((part) => ({
      filename: /filename="?([^";]+)/.exec(part.headers['content-disposition'] ?? '')?.[1] ?? '',
      mediaType: part.headers['content-type']?.split(';')[0] ?? '',
      method: /method=(\w+)/.exec(part.headers['content-type'] ?? '')?.[1],
      content: decode(part),
    })),
    raw,
  }
}

/** The parts of a mail that have no parts of their own, in order. */
function leavesOf(part: Part): Part[] {
  const boundary = /boundary="?([^";]+)/.exec(part.headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) return [part]
  return `\r\n${part.body}`
    .split(`\r\n--${boundary}`)
    .slice(1, -1)
    .flatMap((inner) => leavesOf(readPart(inner.slice(2))))
}

function readPart(text: string): Part {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return { headers: Object.fromEntries(headers), body: text.slice(end + 4) }
}

function decode({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding']?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  const bytes = encoding === 'quoted-printable' ? unquote(body.replaceAll(/=\r\n/g, '')) : body
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n')
}

function readWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('latin1')
        : unquote(word.replaceAll('_', ' ')),
    )
    .replace(/[^]*/, (bytes) => Buffer.from(bytes, 'latin1').toString())
}

function unquote(text: string): string {
  return text.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
