import Fastify from 'fastify'
import { Pool } from 'undici'

/** Fastify and undici without a product between them: JSON is parsed, forwarded, and piped back. */
const [port = 0, upstream] = process.argv.slice(2).map(Number)
const pool = new Pool(`http://127.0.0.1:${upstream}`, { connections: 256 })
const app = Fastify({ logger: false })

app.post('/*', async (request, reply) => {
  const { statusCode, headers, body } = await pool.request({
    path: request.url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
  })
  return reply.code(statusCode).header('content-type', headers['content-type']).send(body)
})
await app.listen({ host: '127.0.0.1', port })
