import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../services/free-port.ts'

const DEPLOY = join(import.meta.dirname, '../../../deploy')

export interface Proxy {
  url: string
  /** What the proxy reported so far. */
  errors(): Promise<string>
  stop(): Promise<void>
}

export interface ProxyOptions {
  /** Whether it believes this machine on the caller and the protocol, as a proxy in front that ends TLS. */
  hasFront?: boolean
}

export const PROXIES = {
  nginx: startNginx,
  'nginx of compose': startComposeNginx,
  haproxy: startHaproxy,
} as const

/** The shipped configuration of nginx, in front of processes on this machine. */
export async function startNginx(
  ports: readonly number[],
  { hasFront = false }: ProxyOptions = {},
): Promise<Proxy> {
  const fronts = await readFile(join(DEPLOY, 'nginx/sohbet-fronts.conf'), 'utf8')
  const listed = fronts.replaceAll(/# (?=set_real_ip_from|127)/g, '')
  return startNginxWith(ports, hasFront ? listed : fronts)
}

/** The same with the addresses as compose fills them in. */
async function startComposeNginx(
  ports: readonly number[],
  { hasFront = false }: ProxyOptions = {},
): Promise<Proxy> {
  const template = await readFile(join(DEPLOY, 'nginx/sohbet-fronts.conf.template'), 'utf8')
  const address = hasFront ? '127.0.0.0/8' : '172.30.0.1'
  return startNginxWith(ports, template.replaceAll('${FRONT_PROXY}', address))
}

async function startNginxWith(ports: readonly number[], fronts: string): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-nginx-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const proxy = await readFile(join(DEPLOY, 'nginx/sohbet-proxy.conf'), 'utf8')
  const site = await readFile(join(DEPLOY, 'nginx/sohbet.conf'), 'utf8')
  await writeFile(join(folder, 'sohbet-proxy.conf'), proxy)
  await writeFile(join(folder, 'sohbet-fronts.conf'), fronts)
  await writeFile(
    join(folder, 'sohbet.conf'),
    withServers(site, ports)
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replaceAll('/etc/nginx/snippets', folder),
  )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await writeFile(
    join(folder, 'nginx.conf'),
    [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      'worker_processes 1;',
      `pid ${folder}/pid;`,
      `error_log ${folder}/error.log;`,
      'events { worker_connections 4096; }',
      'http {',
      'access_log off;',
      ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
      `include ${folder}/sohbet.conf;`,
      '}',
    ].join('\n'),
  )
  const words = ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']
  return run(process.env.TEST_NGINX ?? 'nginx', words, { folder, port })
}

/** The shipped configuration of HAProxy, in front of processes on this machine. */
export async function startHaproxy(
  ports: readonly number[],
  { hasFront = false }: ProxyOptions = {},
): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-haproxy-'))
  const port = await freePort()
  const shipped = await readFile(join(DEPLOY, 'haproxy/haproxy.cfg'), 'utf8')
  const config = withServers(shipped, ports)
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace(/^( +acl is_front) always_false$/m, hasFront ? '$&\n$1 fc_src 127.0.0.1' : '$&')
  await writeFile(join(folder, 'haproxy.cfg'), config)
  const words = ['-db', '-q', '-f', join(folder, 'haproxy.cfg')]
  return run(process.env.TEST_HAPROXY ?? 'haproxy', words, { folder, port })
}

/** Repeats the line of the first server for each port. */
function withServers(config: string, ports: readonly number[]): string {
  const lines = config.split('\n')
  const isServer = (line: string) => /^ +server .*app\d:3000/.test(line)
  const line = lines.find(isServer) ?? ''
  const own = ports.map((port, index) =>
    line.replace('app1:3000', `127.0.0.1:${port}`).replace(' app1 ', ` app${index + 1} `),
  )
  const at = lines.findIndex(isServer)
  return [...lines.slice(0, at), ...own, ...lines.slice(at).filter((each) => !isServer(each))].join(
    '\n',
  )
}

async function run(
  program: string,
  words: string[],
  { folder, port }: { folder: string; port: number },
): Promise<Proxy> {
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) break
    if (tries > 200 || child.exitCode !== null) throw new Error(`${program} did not start.`)
    await new Promise((done) => setTimeout(done, 50))
  }
  return {
    url,
    errors: () => readFile(join(folder, 'error.log'), 'utf8').catch(() => ''),
    async stop() {
      process.off('exit', kill)
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
