import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const execute = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')
/** Of systemd's own scale from 0 to 10: above, it calls a unit exposed. */
const MAX_EXPOSURE = 2

test('promtool accepts the alert rules', async () => {
  const rules = join(DEPLOY, 'prometheus/sohbet-alerts.yaml')
  const { stdout } = await execute(process.env.TEST_PROMTOOL ?? 'promtool', [
    'check',
    'rules',
    rules,
  ])
  expect(stdout).toContain('SUCCESS: 26 rules found')
})

test('nginx accepts the site with TLS', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-tls-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const words = 'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=chat.example.com'.split(' ')
  await execute('openssl', [...words, '-keyout', key, '-out', certificate])
  for (const name of await readdir(join(DEPLOY, 'nginx'))) {
    const text = await readFile(join(DEPLOY, 'nginx', name), 'utf8')
    const own = text
      .replaceAll(/app\d:3000/g, '127.0.0.1:3000')
      .replaceAll('/etc/nginx/snippets', folder)
      .replace(/\/etc\/letsencrypt\S+fullchain.pem/, certificate)
      .replace(/\/etc\/letsencrypt\S+privkey.pem/, key)
    await writeFile(join(folder, name), own)
  }
  const config = join(folder, 'nginx.conf')
  await writeFile(
    config,
    `pid ${folder}/pid; error_log stderr; events {} http { include ${folder}/sohbet.conf; include ${folder}/sohbet-tls.conf; }`,
  )
  const { stderr } = await execute(process.env.TEST_NGINX ?? 'nginx', ['-t', '-c', config])
  expect(stderr).toContain('test is successful')
})

test('systemd accepts the unit, and finds it little exposed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-unit-'))
  const text = await readFile(join(DEPLOY, 'systemd/sohbet@.service'), 'utf8')
  const unit = join(folder, 'sohbet@3000.service')
  const own = text.replaceAll('/opt/sohbet', ROOT).replaceAll(/^(User|Group)=.*$/gm, '$1=daemon')
  await writeFile(unit, own)
  const analyze = process.env.TEST_SYSTEMD_ANALYZE ?? 'systemd-analyze'
  const { stderr } = await execute(analyze, ['verify', unit])
  expect(stderr).toBe('')
  const { stdout } = await execute(analyze, ['security', '--offline=true', '--no-pager', unit])
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(MAX_EXPOSURE)
})
