import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from './free-port.ts'

/** A temporary server of this run. */
export type Server = { url: string; stop(): Promise<void> }

type Start = {
  title: string
  command: string
  args(port: number): string[]
  /** Written to the program's standard input. */
  input?(port: number): string
  url(port: number): string
  /** The program's output when it accepts connections. */
  ready: RegExp
  stopSignal: NodeJS.Signals
  options?: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>
}

const ATTEMPTS = 5

/**
 * Starts a server on a free port of the loopback interface and waits until its output reports that it
 * is ready. A connection proves nothing: another process may have taken the port.
 */
export async function startServer(start: Start): Promise<Server> {
  let said = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = await freePort()
    const child = spawn(start.command, start.args(port), { ...start.options, stdio: 'pipe' })
    // Otherwise the server would outlive a run that ends with an error.
    const kill = () => child.kill(start.stopSignal)
    process.on('exit', kill)
    child.stdin.on('error', () => undefined).end(start.input?.(port) ?? '')
    const outcome = await untilReady(child, start.ready)
    if (outcome.ready) {
      return {
        url: start.url(port),
        async stop() {
          process.off('exit', kill)
          await stopChild(child, start.stopSignal)
        },
      }
    }
    process.off('exit', kill)
    said = outcome.said
  }
  throw new Error(`${start.title} did not start:\n${said}`)
}

/** Terminates a process and waits for its exit. */
async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

async function untilReady(child: ChildProcess, ready: RegExp) {
  let said = ''
  return new Promise<{ ready: boolean; said: string }>((resolve) => {
    const listen = (piece: unknown) => {
      // The reader stays attached: a full pipe would block the server.
      said = `${said}${String(piece)}`.slice(-8_000)
      if (ready.test(said)) resolve({ ready: true, said })
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('error', (error) => resolve({ ready: false, said: error.message }))
    child.once('exit', () => resolve({ ready: false, said }))
  })
}
