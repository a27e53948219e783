import { createServer } from 'node:http'

/** A model without latency: 20 chunks, 5 MB in 500 chunks, or one JSON body, with its usage. */
const CHUNKS = 20
const usage = { prompt_tokens: 30, completion_tokens: 20, total_tokens: 50 }
const shared = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'bench' }

const chunk = (choice: object, more: object = {}) =>
  `data: ${JSON.stringify({ ...shared, object: 'chat.completion.chunk', ...more, choices: [choice] })}\n\n`
const streamOf = (count: number, word: string) => [
  ...Array.from({ length: count }, (_, index) =>
    chunk({ index: 0, delta: { content: `${word} ${index} ` }, finish_reason: null }),
  ),
  chunk({ index: 0, delta: {}, finish_reason: 'stop' }),
  `data: ${JSON.stringify({ ...shared, object: 'chat.completion.chunk', choices: [], usage })}\n\n`,
  'data: [DONE]\n\n',
]
const short = streamOf(CHUNKS, 'word')
const long = streamOf(500, 'word'.repeat(2_500))
const json = JSON.stringify({
  ...shared,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'word '.repeat(CHUNKS) },
      finish_reason: 'stop',
    },
  ],
  usage,
})

createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => (body += part))
  request.on('end', () => {
    if (!body.includes('"stream":true')) {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(json),
      })
      response.end(json)
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const stream = body.includes('five megabytes') ? long : short
    let next = 0
    // One chunk per turn of the event loop, so that the socket does not merge chunks.
    const send = (): void => {
      response.write(stream[next])
      next += 1
      if (next < stream.length) setImmediate(send)
      else response.end()
    }
    send()
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
