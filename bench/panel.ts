import { chromium } from '@playwright/test'
import { findPrograms } from '../test/services/find.ts'
import { thisMachine } from '../test/services/machine.ts'
import { benchInbox } from './panel-inbox.ts'
import { openWorkspace, post, startServer } from './server.ts'

const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync ' +
  '--disable-background-networking --disable-component-update'
const TENANT = 'bench'

/** Measures the panel in a browser, against one process with a full database. */
export async function benchPanel(): Promise<void> {
  const programs = await findPrograms(thisMachine, ['chromium'])
  const { url, stop } = await startServer({})
  const browser = await chromium.launch({
    executablePath: programs.get('chromium') ?? '',
    args: FLAGS.split(' '),
  })
  try {
    const token = await openWorkspace(url)
    await post(`${url}/api/v1/tenants`, token, { tenant_id: TENANT, name: 'Bench' })
    await benchInbox(browser, { url, token, tenant: TENANT })
  } finally {
    await browser.close()
    await stop()
  }
}
