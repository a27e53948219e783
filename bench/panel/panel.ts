import { chromium } from '@playwright/test'
import { findPrograms } from '../../test/services/find.ts'
import { thisMachine } from '../../test/services/machine.ts'
import type { Figure } from '../report/figure.ts'
import type { PanelBench } from './figures.ts'
import { benchInbox } from './inbox.ts'
import { benchBytes, benchHome } from './load.ts'
import { ensureBuilt, openWorkspace, ownerOf, post, startServer } from '../server.ts'

const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync ' +
  '--disable-background-networking --disable-component-update'
const TENANT = 'bench'
const WINDOW = { width: 1440, height: 900 }

const PARTS: Record<string, (bench: PanelBench) => Promise<Figure[]>> = {
  bytes: benchBytes,
  home: benchHome,
  inbox: benchInbox,
}

/** Measures the panel in a browser, against one process: `bytes`, `home`, `inbox`, or all. */
export async function benchPanel(only: readonly string[]): Promise<Figure[]> {
  const reported: Figure[] = []
  ensureBuilt()
  const programs = await findPrograms(thisMachine, ['chromium'])
  const { url, stop } = await startServer({})
  const browser = await chromium.launch({
    executablePath: programs.get('chromium') ?? '',
    args: FLAGS.split(' '),
  })
  try {
    const token = await openWorkspace(url)
    await post(`${url}/api/v1/tenants`, token, { tenant_id: TENANT, name: 'Bench' })
    const bench: PanelBench = {
      browser,
      url,
      token,
      tenant: TENANT,
      async signIn() {
        const context = await browser.newContext({ viewport: WINDOW, locale: 'tr-TR' })
        const login = { email: ownerOf(), password: 'a long password' }
        const headers = { origin: url }
        await context.request.post(`${url}/api/v1/auth/login`, { data: login, headers })
        return context
      },
    }
    for (const [name, measure] of Object.entries(PARTS)) {
      if (only.length === 0 || only.includes(name)) reported.push(...(await measure(bench)))
    }
  } finally {
    await browser.close()
    await stop()
  }
  return reported
}
