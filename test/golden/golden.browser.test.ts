// The golden digests in a page and in a Web Worker, on the bundle, under the least content security policy.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPage } from '../browser/page.ts'
import { type FileServer, serveFolder } from '../browser/serve.ts'
import { copyBundle } from '../bundle.ts'
import { allInLong } from '../size.ts'
import { writePlayer } from './bundle-player.ts'
import { EXPECTED } from './digests.ts'
import { makePrograms } from './programs.ts'

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:"

const PLAY = `
  import { createEmulator } from './dist/index.js'
  import { createRollup } from './dist/rollup.js'
  import { digestsOf, outcomesOf } from './play.js'
  const library = { createEmulator, createRollup }
  export async function play() {
    const programs = await (await fetch('./programs.json')).json()
    return [await digestsOf(library), await outcomesOf(library, programs)]
  }`
const IN_PAGE = `import { play } from './main.js'; globalThis.played = play()`
const IN_WORKER = `import { play } from './main.js'; play().then(postMessage)`
const STARTING_WORKER = `
  const worker = new Worker('./worker.js', { type: 'module' })
  globalThis.played = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
  })`

let folder = ''
let server: FileServer | undefined
let origin = ''
let outcomes: readonly string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'golden-'))
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)
  await copyBundle(join(folder, 'dist'))
  await writePlayer(join(folder, 'play.js'))
  const made = await makePrograms()
  outcomes = made.outcomes
  await write('programs.json', JSON.stringify(made.programs))
  await write('main.js', PLAY)
  await write('page.js', IN_PAGE)
  await write('worker.js', IN_WORKER)
  await write('start.js', STARTING_WORKER)
  for (const script of ['page', 'start']) {
    const head = '<title>A page</title><link rel="icon" href="data:,">'
    const body = `<script type="module" src="./${script}.js"></script>`
    await write(
      `${script}.html`,
      `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`,
    )
  }
  server = await serveFolder(folder, { 'content-security-policy': POLICY })
  origin = server.origin
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true })
})

const PAGE = ['a page', 'page'] as const
const WORKER = ['a Web Worker', 'start'] as const

test.each(allInLong([WORKER], [PAGE, WORKER]))(
  'they come out in %s',
  async (_, script) => {
    const page = await newPage({}, (url) => url.startsWith(`${origin}/`))
    await page.goto(`${origin}/${script}.html`)
    await page.waitForFunction(() => 'played' in globalThis)
    expect(await page.evaluate(() => (globalThis as unknown as { played: unknown }).played)).toEqual([
      EXPECTED,
      outcomes,
    ])
  },
  120_000,
)
