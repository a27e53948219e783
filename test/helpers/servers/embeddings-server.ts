import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'

/** Words that mean the same, in two languages: each line is one direction of a vector. */
const MEANINGS = [
  'refund refunds money reimburse reimbursed cash para iade geri',
  'shipping delivery parcel package courier arrive kargo teslimat paket',
  'parking car vehicle garage otopark araba',
  'opening hours open close weekend saat açık pazar',
  'broken damaged faulty defective bozuk kırık',
].map((line) => new Set(line.split(' ')))

interface EmbeddingsCall {
  authorization: string | undefined
  model: string
  input: string[]
}

/** A local server behind `/v1/embeddings`, whose vectors are near for words of one meaning. */
export interface EmbeddingsServer {
  /** The value of `EMBEDDING_BASE_URL`. */
  url: string
  calls: EmbeddingsCall[]
  /** The action on the next requests. */
  act: 'answer' | 'silence' | 'refuse'
  close(): Promise<void>
}

/** Starts an embedding model on loopback; models of another name have vectors of another length. */
export async function startEmbeddingsServer(): Promise<EmbeddingsServer> {
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const { model, input }: EmbeddingsCall = JSON.parse(Buffer.concat(chunks).toString())
    embeddings.calls.push({ authorization: request.headers.authorization, model, input })
    if (embeddings.act === 'silence') return
    response.setHeader('content-type', 'application/json')
    if (embeddings.act === 'refuse' || request.url !== '/v1/embeddings') {
      response.writeHead(401).end(JSON.stringify({ error: { code: 'invalid_api_key' } }))
      return
    }
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: vectorOf(text, model.length),
    }))
    // Providers may answer in any order.
    const usage = { prompt_tokens: input.join(' ').length, total_tokens: input.join(' ').length }
    response.end(JSON.stringify({ object: 'list', model, data: data.toReversed(), usage }))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const embeddings: EmbeddingsServer = {
    url: `http://127.0.0.1:${port}/v1`,
    calls: [],
    act: 'answer',
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return embeddings
}

/** Counts the meanings of a text; what has none of them is near to nothing else. */
function vectorOf(text: string, more: number): number[] {
  const words = text.toLowerCase().split(/[^\p{L}]+/u)
  const counts = MEANINGS.map((meaning) => words.filter((word) => meaning.has(word)).length)
  return [...counts, ...Array.from({ length: more }, (_, at) => (words.length % (at + 2)) / 50)]
}
