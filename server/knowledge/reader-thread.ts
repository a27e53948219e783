import { parentPort } from 'node:worker_threads'
import { readBytes, type Source } from './read-bytes.ts'

// The other side of `reader.ts`: one document after the other, each answered with its passages.
parentPort?.on('message', (source: Source) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void readBytes(source).then((result) => parentPort?.postMessage(result))
})
