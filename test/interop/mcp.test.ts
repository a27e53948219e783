import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeOnDatabase } from '../helpers/databases.ts'
import { type TestWorkspace, addDocument, addWorkspace } from '../helpers/product.ts'
import { useProduct, useStarted } from '../helpers/use-product.ts'
import { createProject } from './project.ts'

const TOOLS = ['@modelcontextprotocol/inspector@2.12.0', '@modelcontextprotocol/conformance@0.1.16']
const INSPECTOR = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
const CONFORMANCE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

/**
 * The scenarios of the conformance suite that need nothing of the server but the protocol. All others
 * call tools, prompts and resources of a special test server (`test_simple_text`, …), or features that
 * the server does not declare: logging, completion, subscriptions, sampling, elicitation and server
 * streams. `dns-rebinding-protection` is for servers of one machine without credentials.
 */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'server-sse-multiple-streams']
/** The same of the server for members, which takes a key; the suite sends none. */
const MEMBER_SCENARIOS = [...SCENARIOS, 'prompts-list', 'resources-list']

/** Starts a server that hands requests on with a key. */
async function startKeyServer(
  target: string,
  key: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const headers = new Headers({ authorization: `Bearer ${key}` })
    for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id']) {
      const value = request.headers[name]
      if (typeof value === 'string') headers.set(name, value)
    }
    const pass = async () => {
      const { method = 'GET' } = request
      const body = await text(request)
      const answer = await fetch(target, { method, headers, ...(body === '' ? {} : { body }) })
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(await answer.text())
    }
    pass().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

describeOnDatabase('the MCP server, for the tools of others', (database) => {
  const product = useProduct(database)
  const project = useStarted(() => createProject(TOOLS))
  let own: TestWorkspace

  beforeAll(async () => {
    own = await addWorkspace(product, { plan: 'enterprise', credits: 100 })
    await addDocument(product, own, { title: 'Hours', content: 'We open at nine on Mondays.' })
    const path = `/api/v1/tenants/${own.tenantId}`
    await product.call(path, { method: 'PATCH', token: own.token, body: { mcp: 'public' } })
  })

  const inspect = async (...args: string[]): Promise<unknown> => {
    const header = ['--header', `Authorization: Bearer ${own.token}`]
    const server = ['--cli', `${product.url}/mcp`, '--transport', 'http', ...header]
    const { stdout } = await project().node(INSPECTOR, ...server, ...args)
    return JSON.parse(stdout)
  }

  const conform = async (url: string, scenario: string): Promise<string> => {
    const args = ['server', '--url', url, '--scenario', scenario]
    const { stdout, stderr } = await project().node(CONFORMANCE, ...args)
    return stdout + stderr
  }

  test.each(SCENARIOS)('passes the conformance scenario %s for visitors', async (scenario) => {
    const said = await conform(`${product.url}/mcp/${own.tenantId}`, scenario)
    expect(said).toMatch(/0 failed, 0 warnings/)
  })

  test.each(MEMBER_SCENARIOS)(
    'passes the conformance scenario %s for members',
    async (scenario) => {
      const server = await startKeyServer(`${product.url}/mcp`, own.token)
      onTestFinished(() => server.stop())
      expect(await conform(server.url, scenario)).toMatch(/0 failed, 0 warnings/)
    },
  )

  test('is listed and called by the inspector', async () => {
    expect(await inspect('--method', 'tools/list')).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'ask' })]),
    })
    const question = [`tenant_id=${own.tenantId}`, 'message=When do you open on Mondays?']
    const call = ['--method', 'tools/call', '--tool-name', 'ask', '--tool-arg', ...question]
    expect(JSON.stringify(await inspect(...call))).toContain('nine')
    expect(await inspect('--method', 'prompts/list')).toMatchObject({
      prompts: expect.arrayContaining([expect.objectContaining({ name: 'appointment-reminder' })]),
    })
    expect(await inspect('--method', 'resources/list')).toMatchObject({
      resources: [expect.objectContaining({ name: 'Hours' })],
    })
  })
})
