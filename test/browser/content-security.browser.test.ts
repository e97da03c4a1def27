// Pages and workers under a content security policy, which a server sends as a header.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyBundle } from '../bundle.ts'
import { newPage } from './page.ts'
import { type FileServer, serveFolder } from './serve.ts'

/** What `policyFor` adds to a policy without WebAssembly. */
const WITH_WASM = "'wasm-unsafe-eval'"

/** The address of a worker is a string here, which Trusted Types refuse: that is up to the page, not to the library. */
function policyFor(name: string, scripts: string): string {
  const trustedTypes = name === 'start' ? '' : "; require-trusted-types-for 'script'"
  return `default-src 'none'; script-src 'self' ${scripts}; style-src 'self'; img-src data:${trustedTypes}`
}

/** Tries to begin, and to send ether, with either interpreter and as a rollup. */
const TRY = `
  import { createEmulator, TickchainError } from './dist/index.js'
  import { createRollup } from './dist/rollup.js'
  async function send(chain) {
    const [from, to] = await chain.request('eth_accounts')
    const hash = await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
    await chain.advance(200)
    return (await chain.request('eth_getTransactionReceipt', [hash])).status
  }
  export async function tryAll() {
    const begin = [
      async () => send(await createEmulator()),
      async () => send(await createEmulator({ interpreter: 'reference' })),
      async () => send((await createRollup()).l2),
    ]
    const tried = []
    for (const run of begin) {
      tried.push(await run().catch((error) => {
        const { kind, message } = error
        return { isOurs: error instanceof TickchainError, kind, message }
      }))
    }
    return tried
  }`
const FILES: Readonly<Record<string, string>> = {
  'try.js': TRY,
  'page.js': `import { tryAll } from './try.js'; globalThis.tried = tryAll()`,
  'worker.js': `import { tryAll } from './try.js'; tryAll().then(postMessage)`,
  'start.js': `const worker = new Worker('./worker.js', { type: 'module' })
    globalThis.tried = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data) })`,
  'explorer.js': `
    import { createEmulator } from './dist/index.js'
    import { mountExplorer } from './dist/explorer.js'
    const chain = await createEmulator()
    const [from, to] = await chain.request('eth_accounts')
    const hash = await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
    await chain.advance(200)
    mountExplorer(document.querySelector('#here'), chain)
    document.title = hash`,
}

let folder = ''
const servers: FileServer[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'policy-'))
  await copyBundle(join(folder, 'dist'))
  for (const [name, source] of Object.entries(FILES)) {
    await writeFile(join(folder, name), source)
    const head = '<title>A page</title><link rel="icon" href="data:,">'
    const body = `<main><h1>A page</h1><div id="here"></div></main><script type="module" src="./${name}"></script>`
    const html = `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`
    await writeFile(join(folder, name.replace(/js$/, 'html')), html)
  }
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await rm(folder, { recursive: true })
})

async function open(name: string, scripts: string): Promise<Page> {
  const server = await serveFolder(folder, { 'content-security-policy': policyFor(name, scripts) })
  servers.push(server)
  const { origin } = server
  const page = await newPage({}, (url) => url.startsWith(`${origin}/`))
  page.setDefaultTimeout(600_000)
  await page.goto(`${origin}/${name}.html`)
  return page
}

async function triedIn(page: Page): Promise<unknown> {
  await page.waitForFunction(() => 'tried' in globalThis)
  return page.evaluate(() => (globalThis as unknown as { tried: unknown }).tried)
}

describe.each([
  ['a page', 'page'],
  ['a Web Worker', 'start'],
])('in %s', (_, name) => {
  test("under script-src 'self' alone, an error names the source that is missing", async () => {
    const error = {
      isOurs: true,
      kind: 'webAssemblyMissing',
      message: expect.stringMatching(
        /the source 'wasm-unsafe-eval' in script-src of the content security policy/,
      ),
    }
    expect(await triedIn(await open(name, ''))).toEqual([error, error, error])
  })

  test('with that source everything runs', async () => {
    expect(await triedIn(await open(name, WITH_WASM))).toEqual(['0x1', '0x1', '0x1'])
  })
})

test('the explorer has its styles and its controls', async () => {
  const page = await open('explorer', WITH_WASM)
  await page.getByRole('button', { name: 'Seal block' }).click()
  await page.getByRole('status').filter({ hasText: 'Block 1 is sealed with 1 transaction.' }).waitFor()
  const background = await page
    .locator('.explorer')
    .evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(background).toBe('rgb(255, 255, 255)')
  await page.getByRole('option', { name: /^1 / }).click()
  await page
    .getByTitle(await page.title())
    .first()
    .click()
  await page.getByText('success, sealed').waitFor()
})
