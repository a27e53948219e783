import type { ServerResponse } from 'node:http'

/**
 * Calls `call` once when the response is closed: sent completely, or its client disconnected. A
 * client may disconnect before the handler runs, when the event has passed: then `call` runs at the
 * next tick.
 */
export function onResponseClosed(response: ServerResponse, call: () => void): void {
  if (response.closed) process.nextTick(call)
  else response.once('close', call)
}
