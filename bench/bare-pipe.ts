import { Agent, createServer, request as ask } from 'node:http'

/** What passing a request on costs at least: no look at it, no metering, no limit. */
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
