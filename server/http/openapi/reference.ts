import swaggerUi, { type FastifySwaggerUiConfigOptions } from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** Scripts, styles and requests of this installation alone; the digest is of a style of Swagger UI. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const STYLE = `
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .btn, .swagger-ui table thead tr th {
  font-family: system-ui, sans-serif;
}
.swagger-ui .topbar { display: none }
.swagger-ui .info { margin: 2rem 0 1rem }
.swagger-ui .info .title { font-size: 1.8rem; font-weight: 700 }
.swagger-ui .info a, .swagger-ui .markdown a { color: #0f766e }
.swagger-ui .scheme-container { background: none; box-shadow: none; padding: 0 0 1rem }
.swagger-ui .btn.authorize { border-color: #0f766e; color: #0f766e }
.swagger-ui .btn.authorize svg { fill: #0f766e }
.swagger-ui .btn.execute { background: #0f766e; border-color: #0f766e }
.swagger-ui .filter .operation-filter-input { border: 1px solid #858b98; border-radius: .5rem }
`

/** The operations of one tag, as Swagger UI keeps them. */
interface Group {
  get(key: 'operations'): Operations
  set(key: 'operations', operations: Operations): Group
}
interface Operations {
  size: number
  filter(isFound: (operation: Operation) => boolean): Operations
}
interface Operation {
  get(key: 'path' | 'method'): string
  getIn(keys: ['operation', 'summary']): string | undefined
}
interface Groups {
  map(change: (group: Group, tag: string) => Group): Groups
  filter(isKept: (group: Group) => boolean): Groups
}

/**
 * Keeps the operations that have every word of the search. The browser gets it as source text, so that it can
 * use nothing from outside of itself.
 */
const search = () => ({
  fn: {
    opsFilter: (groups: Groups, wanted: string): Groups => {
      const words = wanted.toLowerCase().split(/\s+/)
      const isFound = (tag: string, operation: Operation): boolean => {
        const named = [tag, operation.get('method'), operation.get('path')]
        const summary = operation.getIn(['operation', 'summary'])
        const text = [...named, summary].join(' ').toLowerCase()
        return words.every((word) => text.includes(word))
      }
      const reduce = (group: Group, tag: string): Group => {
        const found = group.get('operations').filter((operation) => isFound(tag, operation))
        return group.set('operations', found)
      }
      return groups.map(reduce).filter((group) => group.get('operations').size > 0)
    },
  },
})

const CONFIG: FastifySwaggerUiConfigOptions = {
  filter: true,
  tryItOutEnabled: true,
  deepLinking: true,
  plugins: [search],
}

/** Serves the description to people, at `/docs`: with a search, and requests with a pasted key. */
export async function installReference(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    uiConfig: CONFIG,
    theme: { title: 'Sohbet API', css: [{ filename: 'sohbet.css', content: STYLE }] },
  })
}
