import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

const PEERS = join(import.meta.dirname, '../peers')
const TEXT = 'Cups, pots and plates, thrown and glazed by hand in small series. '.repeat(3)

/** A page with one widget, embedded as its documentation says. */
export interface Candidate {
  name: string
  /** The embed snippet; every inline script and style has the page's nonce. */
  paste: string
  /** Returns, in the page, the launcher or its substitute once it exists. */
  launcher: string
  /** Returns, in the page, the input for a message once there is one; absent where it needs a service. */
  input?: string
}

/** The script of a page that does the least: a button, and nothing behind it. */
const BUTTON = `{
  const host = document.createElement('x-button')
  const button = document.createElement('button')
  button.textContent = 'Chat'
  host.attachShadow({ mode: 'open' }).append(button)
  document.documentElement.append(host)
}`

/** The product's tag, the peers' snippets, and the same page with no widget and with a bare button. */
export function candidates(product: string): Candidate[] {
  const script = (code: string) => `<script type="module" nonce="page">${code}</script>`
  const inside = (host: string, selector: string) =>
    `document.querySelector('${host}')?.shadowRoot?.querySelector('${selector}')`
  const style = (path: string) => `<link rel="stylesheet" href="${path}">`
  return [
    { name: 'no widget', paste: '', launcher: `document.querySelector('h1')` },
    {
      name: 'Sohbet',
      paste: `<script src="${product}/widget.js" data-tenant="bench" nonce="page" async></script>`,
      launcher: inside('sohbet-widget', 'button'),
      input: inside('sohbet-widget', '.composer textarea'),
    },
    {
      name: 'bare button',
      paste: '<script src="/button.js" nonce="page" async></script>',
      launcher: inside('x-button', 'button'),
    },
    {
      name: 'deep-chat (no launcher)',
      paste: `${script(`import '/@/deep-chat/dist/deepChat.bundle.js'`)}<deep-chat></deep-chat>`,
      launcher: inside('deep-chat', '#text-input'),
    },
    {
      name: 'Typebot',
      paste: script(
        `import Typebot from '/@/@typebot.io/js/dist/web.js'
        Typebot.initBubble({ typebot: 'bench', apiHost: location.origin })`,
      ),
      launcher: inside('typebot-bubble', 'button'),
    },
    {
      name: 'Flowise',
      paste: script(
        `import Chatbot from '/@/flowise-embed/dist/web.js'
        Chatbot.init({ chatflowid: 'bench', apiHost: location.origin })`,
      ),
      launcher: inside('flowise-chatbot', 'button'),
      input: inside('flowise-chatbot', 'textarea'),
    },
    {
      name: 'Botpress',
      paste: `${style('/botpress.css')}<script type="module" src="/botpress.js" nonce="page"></script>`,
      launcher: `document.querySelector('.bpFabContainer')`,
    },
    {
      name: 'n8n chat',
      paste:
        style('/@/@n8n/chat/dist/style.css') +
        script(
          `import { createChat } from '/@/@n8n/chat/dist/chat.bundle.es.js'
          createChat({ webhookUrl: location.origin + '/api/webhook' })`,
        ),
      launcher: `document.querySelector('.chat-window-toggle')`,
      input: `document.querySelector('.chat-window textarea')`,
    },
  ]
}

/** The strictest content security policy that allows the page's own scripts and style sheets. */
function policyOf(product: string): string {
  return [
    "default-src 'none'",
    "script-src 'nonce-page' 'strict-dynamic'",
    "style-src 'self' 'nonce-page'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${product}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join(';')
}

/** Serves `/0`, `/1` … with a candidate each, under the policy with `?strict`, and the peers' files. */
export function servePages(
  all: readonly Candidate[],
  product: string,
  bundle: readonly [string, Buffer][],
): Server {
  const files = new Map<string, Buffer>([...bundle, ['/button.js', brotliCompressSync(BUTTON)]])
  /** The compressed body, as from a content delivery network. */
  const read = (path: string): Buffer => {
    const kept = files.get(path)
    if (kept) return kept
    const text = readFileSync(join(PEERS, 'node_modules', path.slice('/@/'.length)))
    const small = brotliCompressSync(text)
    files.set(path, small)
    return small
  }
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const candidate = all[Number(pathname.slice(1))]
    if (candidate) {
      if (searchParams.has('strict'))
        response.setHeader('content-security-policy', policyOf(product))
      response.setHeader('content-type', 'text/html; charset=utf-8').end(toPage(candidate))
    } else if (pathname.startsWith('/@/') || files.has(pathname)) {
      const type = pathname.endsWith('.css') ? 'text/css' : 'text/javascript'
      const bytes = read(pathname)
      response
        .writeHead(200, {
          'content-type': type,
          'content-encoding': 'br',
          'content-length': bytes.length,
        })
        .end(bytes)
    } else
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).end('{}')
  })
}

/** A page with text, so that layout shifts are measurable. */
function toPage({ paste }: Candidate): string {
  const articles = `<h2>Series</h2><p>${TEXT}</p>`.repeat(3)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>
<link rel="icon" href="data:,"><style nonce="page">body{font:16px/1.5 sans-serif;max-width:40rem;margin:auto}</style>
</head><body><h1>Shop</h1>${articles}${paste}</body></html>`
}

/** Botpress ships a React component, which every site bundles. */
export async function bundleBotpress(): Promise<[string, Buffer][]> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: PEERS,
    build: {
      write: false,
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(PEERS, 'botpress.mjs'),
        output: { entryFileNames: 'botpress.js', assetFileNames: 'botpress[extname]' },
      },
    },
  })
  if (!('output' in built)) throw new Error('Botpress was not bundled.')
  return built.output.map((file) => [
    `/${file.fileName}`,
    brotliCompressSync(file.type === 'chunk' ? file.code : file.source),
  ])
}
