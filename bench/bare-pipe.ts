import { Agent, createServer, request as ask } from 'node:http'

/** The lower bound of a gateway's cost: a proxy without parsing, metering or limits. */
const [port, upstream] = process.argv.slice(2).map(Number)
const agent = new Agent({ keepAlive: true, maxSockets: 256 })

createServer((request, response) => {
  const passed = ask(
    {
      agent,
      host: '127.0.0.1',
      port: upstream,
      path: request.url,
      method: request.method,
      headers: request.headers,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  request.pipe(passed)
}).listen(port, '127.0.0.1')
