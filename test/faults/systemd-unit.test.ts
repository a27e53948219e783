import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventually } from '../helpers/eventually.ts'
import { openLive } from '../helpers/live.ts'
import { OPERATOR_TOKEN, type TestWorkspace, addWorkspace } from '../helpers/product.ts'
import { freePort } from '../services/free-port.ts'
import { type BootedSystemd, bootSystemd } from './booted-systemd.ts'
import { callsOf } from './cluster.ts'

const GUIDE = join(import.meta.dirname, '../../docs/deploy.md')
const POLL = { timeout: 60_000, interval: 100 }
const PROBE = '/var/lib/sohbet/probe.json'
const STOPPED = '/var/lib/sohbet/stopped'
/** They run in the sandbox of the unit. The word of a stop outlives what systemd itself remembers. */
const DROP_IN = `[Service]
ExecStartPre=/opt/sohbet/node_modules/.bin/node test/faults/unit-probe.ts ${PROBE}
ExecStopPost=/bin/sh -c 'echo $SERVICE_RESULT $EXIT_CODE $EXIT_STATUS >${STOPPED}'`
/** As on one of several machines: a proxy on another one calls it. */
const SETTINGS = [
  'PUBLIC_URL=https://chat.example.com',
  'SECRET_KEY=a-secret-key-for-tests-only',
  `OPERATOR_TOKEN=${OPERATOR_TOKEN}`,
  'HOST=0.0.0.0',
  'TRUSTED_PROXIES=127.0.0.1',
]
/** What the sandbox keeps from the unit, though any user may have it. */
const OPEN_TO_ALL = `
mkdir --mode=1777 /srv/open /home/somebody
touch /tmp/of-another-service /home/somebody/letter /dev/sdz`
const Probed = z.looseObject({ openFiles: z.string() })

/**
 * A systemd in namespaces applies every option of the unit. What differs from a machine's own: nothing
 * waits for the network (it is there), no group of the kernel's controllers is at hand (the unit has no
 * option for one), and `multi-user.target`, which wants the unit at boot, is not reached.
 * `deploy-files.test.ts` has what systemd says of the unit without running it.
 */
describe.skipIf(process.getuid?.() !== 0)('the unit, installed as the guide says', () => {
  let systemd: BootedSystemd
  let unit: string
  let url: string
  let workspace: TestWorkspace
  beforeAll(async () => {
    const port = await freePort()
    unit = `sohbet@${port}.service`
    url = `http://127.0.0.1:${port}`
    systemd = await bootSystemd()
    await systemd.run(OPEN_TO_ALL)
    await systemd.run(
      `mkdir '/etc/systemd/system/sohbet@.service.d'
      cat >'/etc/systemd/system/sohbet@.service.d/probe.conf' <<'UNIT'\n${DROP_IN}\nUNIT`,
    )
    await systemd.run(await readCommands(port))
    await eventually(async () => {
      if (!(await isReady())) throw new Error(await systemd.run('journalctl --lines=40'))
    })
    workspace = await addWorkspace(callsOf(url))
  })
  afterAll(() => systemd.stop())

  const isReady = async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok
  const signIn = async () => {
    const body = { email: workspace.email, password: 'a long password' }
    return (await callsOf(url).call('/api/v1/auth/token', { body })).status
  }

  test('answers, and is enabled for the next boot', async () => {
    expect((await fetch(`${url}/widget.js`)).status).toBe(200)
    expect(await systemd.show(unit, 'ActiveState', 'NRestarts', 'UnitFileState')).toEqual([
      'active',
      '0',
      'enabled',
    ])
  })

  test('is an ordinary user without privileges, who may write the data alone', async () => {
    const none = '0000000000000000'
    const machineLimit = await systemd.run('prlimit --noheadings --raw --output HARD --nofile')
    const { openFiles, ...found } = Probed.parse(JSON.parse(await systemd.run(`cat ${PROBE}`)))
    // A machine that keeps even its root from more gives the unit what it has.
    expect(['65536', machineLimit.trim()]).toContain(openFiles)
    expect(found).toEqual({
      user: 'sohbet',
      group: 'sohbet',
      umask: 0o077,
      folder: '/opt/sohbet',
      settings: ['production', new URL(url).port, '/var/lib/sohbet'],
      capabilities: [none, none, none, none],
      hasNewPrivileges: false,
      isFiltered: true,
      writable: ['/var/lib/sohbet'],
      temporary: [],
      canReadSettings: false,
      seesFirstProcess: false,
      homes: [],
      devices: [],
      changesNamespaces: false,
      becomesRealTime: false,
    })
  })

  test('has written nowhere else', async () => {
    const own = await systemd.run('find /mnt /tmp /run /dev -user sohbet')
    const files = own.trim().split('\n')
    expect(files).toContain('/mnt/var/lib/sohbet/sohbet.db')
    expect(files.filter((file) => !file.startsWith('/mnt/var/lib/sohbet'))).toEqual([])
    expect(await systemd.run('find /var/lib/sohbet -perm /077')).toBe('')
  })

  test('ends in time with 0 beside an open stream, and comes back with its data', async () => {
    const live = await openLive(url, '/api/v1/live', { token: workspace.token })
    await systemd.run(`systemctl stop '${unit}'`)
    expect(await systemd.run(`cat ${STOPPED}`)).toBe('success exited 0\n')
    await live.ended
    await systemd.run(`systemctl start '${unit}'`)
    await expect.poll(isReady, POLL).toBe(true)
    expect(await signIn()).toBe(200)
  })

  test('comes back by itself with its data when it is killed', async () => {
    const [before] = await systemd.show(unit, 'MainPID')
    await systemd.run(`systemctl kill --kill-whom=main --signal=SIGKILL '${unit}'`)
    const restarts = () => systemd.show(unit, 'NRestarts', 'ActiveState')
    await expect.poll(restarts, POLL).toEqual(['1', 'active'])
    await expect.poll(isReady, POLL).toBe(true)
    expect(await systemd.show(unit, 'MainPID')).not.toEqual([before])
    expect(await signIn()).toBe(200)
  })
})

/** The commands of the guide, for a port and with settings. The product is there, and is built. */
async function readCommands(port: number): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8')
  const block = /## systemd\n\n```bash\n(.*?)```/s.exec(guide)?.[1] ?? ''
  const commands = block
    .replace(/^git clone .*\n/m, '')
    .replace(/^PUBLIC_URL=.*\nSECRET_KEY=.*$/m, SETTINGS.join('\n'))
    .replaceAll('sohbet@3000', `sohbet@${port}`)
  expect(commands).toContain(`systemctl enable --now sohbet@${port}\n`)
  return commands
}
