import { createRequire } from 'node:module'

/** `@musistudio/llms` in front of the local upstream, as its documentation starts it. */
const [port, upstream] = process.argv.slice(2)
const { default: Server } = createRequire(import.meta.url)('@musistudio/llms')
const server = new Server({
  useJsonFile: false,
  useEnvFile: false,
  logger: false,
  initialConfig: {
    HOST: '127.0.0.1',
    PORT: port,
    providers: [
      {
        name: 'bench',
        api_base_url: `http://127.0.0.1:${upstream}/v1/chat/completions`,
        api_key: 'x',
        models: ['bench'],
      },
    ],
  },
})
await server.start()
