import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Browser, type Page, chromium } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnDatabase } from '../helpers/databases.ts'
import { type TestWorkspace, addDocument, addWorkspace } from '../helpers/product.ts'
import { useProduct, useStarted } from '../helpers/use-product.ts'
import { packClient } from '../integration/client/packed-client.ts'
import { type Project, createProject } from './project.ts'

const REACT = ['react@19.3.1', 'react-dom@19.3.1']
const VITE = [...REACT, 'vite@8.3.8', '@vitejs/plugin-react@6.3.0', 'typescript@5.9.3']
const TYPES = ['@types/react@19.3.0', '@types/react-dom@19.2.3']
const NEXT = [...REACT, 'next@16.4.6']
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']

/** A page of an owner in strict mode: a widget that can be taken away, and a button of its own. */
const HELP = `
import { useState } from 'react'
import { Sohbet, useSohbet } from 'sohbet/react'

export function Help({ tenant, baseUrl }) {
  const [isShown, setShown] = useState(true)
  const { open, send, isReady, isOpen } = useSohbet()
  return (
    <main>
      {isShown && <Sohbet tenant={tenant} baseUrl={baseUrl} theme="light" locale="en" />}
      <p id="state">{isReady ? 'ready' : 'loading'} {isOpen ? 'open' : 'closed'}</p>
      <button onClick={open}>Help</button>
      <button onClick={() => send('When do you open?')}>Hours</button>
      <button onClick={() => setShown(!isShown)}>Toggle</button>
    </main>
  )
}
`
const TYPED_HELP = HELP.replace(
  '({ tenant, baseUrl })',
  '(props: { tenant: string; baseUrl: string })',
).replace('tenant={tenant} baseUrl={baseUrl}', '{...props}')
const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

interface Site {
  url: string
  stop(): Promise<void>
}

describeOnDatabase('the React component', (database) => {
  const product = useProduct(database)
  let own: TestWorkspace
  let browser: Browser
  const sites: Site[] = []

  beforeAll(async () => {
    own = await addWorkspace(product)
    await addDocument(product, own, { title: 'Hours', content: 'We open at nine on Mondays.' })
    const { TEST_CHROMIUM } = process.env
    browser = await chromium.launch({
      args: FLAGS,
      ...(TEST_CHROMIUM === undefined ? {} : { executablePath: TEST_CHROMIUM }),
    })
  })
  afterAll(async () => {
    await browser.close()
    for (const site of sites) await site.stop()
  })

  const vite = useStarted(async () => createProject([await packClient(), ...VITE, ...TYPES]))
  const next = useStarted(async () => createProject([await packClient(), ...NEXT]))

  /** Walks through the page as its visitor does, and returns what the console complained about. */
  async function converse({ url }: Site): Promise<string[]> {
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(url)
    await state(page, 'ready closed')
    const widget = page.locator('sohbet-widget')
    expect(await widget.count()).toBe(1)
    await page.getByRole('button', { name: 'Hours' }).click()
    await state(page, 'ready open')
    await widget.getByText('at nine on Mondays').first().waitFor()
    await page.getByRole('button', { name: 'Toggle' }).click()
    await expect.poll(() => widget.count()).toBe(0)
    await page.getByRole('button', { name: 'Toggle' }).click()
    await expect.poll(() => widget.count()).toBe(1)
    await page.close()
    return complaints
  }

  const state = (page: Page, text: string) =>
    page.locator('#state').filter({ hasText: text }).waitFor()

  test('is typed, built by Vite, and talks in strict mode', async () => {
    const project = vite()
    await project.write({
      'index.html':
        '<!doctype html><title>Shop</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/main.tsx"></script>',
      'help.tsx': TYPED_HELP,
      'main.tsx': `
        import { StrictMode } from 'react'
        import { createRoot } from 'react-dom/client'
        import { Help } from './help'
        const root = document.getElementById('root')
        if (root) createRoot(root).render(
          <StrictMode><Help tenant="${own.tenantId}" baseUrl="${product.url}" /></StrictMode>
        )`,
      'vite.config.js':
        "import react from '@vitejs/plugin-react'\nexport default { plugins: [react()] }",
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'ES2022',
          module: 'ESNext',
          moduleResolution: 'Bundler',
          jsx: 'react-jsx',
          strict: true,
          noEmit: true,
        },
        include: ['*.tsx'],
      }),
    })
    await project.node('node_modules/typescript/bin/tsc', '--project', '.')
    await project.node('node_modules/vite/bin/vite.js', 'build')
    const site = await serveFiles(join(project.folder, 'dist'))
    sites.push(site)
    expect(await converse(site)).toEqual([])
  })

  test('is built by Next, drawn on the server, and talks', async () => {
    const project = next()
    await project.write({
      'app/layout.jsx': `export default function Layout({ children }) {
        return <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>
      }`,
      'app/page.jsx': `import { Help } from './help'
        export default function Page() {
          return <Help tenant="${own.tenantId}" baseUrl="${product.url}" />
        }`,
      'app/help.jsx': `'use client'\n${HELP}`,
      'next.config.mjs': 'export default { reactStrictMode: true }',
    })
    await project.node('node_modules/next/dist/bin/next', 'build')
    const site = await startNext(project)
    sites.push(site)
    expect(await (await fetch(site.url)).text()).toContain('Hours')
    expect(await converse(site)).toEqual([])
  })
})

async function serveFiles(folder: string): Promise<Site> {
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    readFile(join(folder, path)).then(
      (bytes) => {
        response.setHeader('content-type', CONTENT_TYPES[extname(path)] ?? 'text/plain').end(bytes)
      },
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Starts the built site with Next's own server on a free port. */
async function startNext({ folder }: Project): Promise<Site> {
  const args = ['node_modules/next/dist/bin/next', 'start', '-p', '0', '-H', '127.0.0.1']
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((found, fail) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const local = /Local: +(http:\/\/\S+)/.exec(text)?.[1]
      if (local !== undefined && text.includes('Ready')) found(local)
    })
    child.once('exit', () => fail(new Error(`Next ended before it was ready: ${text}`)))
  })
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
