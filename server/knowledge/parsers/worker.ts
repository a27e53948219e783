import { parentPort } from 'node:worker_threads'
import { parseDocument, parseSitemapBytes, type Source } from './parse.ts'

// The other side of `reader.ts`: one source after the other, each answered with what is in it.
parentPort?.on('message', (source: Source) => {
  const result = source.role === 'sitemap' ? parseSitemapBytes(source) : parseDocument(source)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void Promise.resolve(result).then((read) => parentPort?.postMessage(read))
})
