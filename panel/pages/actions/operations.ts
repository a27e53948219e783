import { isRecord } from './input-rows.ts'

interface Operation {
  /** The `operationId`, or the method and the path as the API names them. */
  id: string
  /** Such as `GET /orders/{order_id}`. */
  label: string
  title: string
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Returns the operations of an OpenAPI document; none for a text that is no such document. */
export function operationsOf(text: string): Operation[] {
  const paths = pathsOf(text)
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = isRecord(item) ? item[method] : undefined
      if (!isRecord(operation)) return []
      const { operationId, summary } = operation
      const label = `${method.toUpperCase()} ${path}`
      const id = typeof operationId === 'string' && operationId !== '' ? operationId : undefined
      const title = typeof summary === 'string' ? summary : (id ?? '')
      return [{ id: id ?? `${method} ${path}`, label, title }]
    }),
  )
}

function pathsOf(text: string): Record<string, unknown> {
  try {
    const document: unknown = JSON.parse(text)
    return isRecord(document) && isRecord(document['paths']) ? document['paths'] : {}
  } catch {
    return {}
  }
}
