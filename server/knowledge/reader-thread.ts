import { parentPort } from 'node:worker_threads'
import { readBytes, readSitemapBytes, type Source } from './read-bytes.ts'

// The other side of `reader.ts`: one source after the other, each answered with what is in it.
parentPort?.on('message', (source: Source) => {
  const result = source.role === 'sitemap' ? readSitemapBytes(source) : readBytes(source)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void Promise.resolve(result).then((read) => parentPort?.postMessage(read))
})
