import Fastify from 'fastify'

/** Fastify's upper bound on this machine: a route that echoes JSON. */
const app = Fastify({ logger: false })
app.get('/health/ready', async () => ({ status: 'ok' }))
app.post('/echo', async (request) => request.body)
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
