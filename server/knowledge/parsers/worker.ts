import { parentPort } from 'node:worker_threads'
import { parseDocument, parseSitemapBytes, type ParseInput } from './parse.ts'

// The thread of a ParserPool: parses one input after the other.
parentPort?.on('message', (source: ParseInput) => {
  const result = source.role === 'sitemap' ? parseSitemapBytes(source) : parseDocument(source)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void Promise.resolve(result).then((read) => parentPort?.postMessage(read))
})
