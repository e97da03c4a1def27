// Pages over the bundle, as it is published, from an address of its own.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { copyBundle } from '../bundle.ts'
import { newPage } from './page.ts'

const ORIGIN = 'http://bundle.test'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickchain-'))
  await copyBundle(folder)
})
afterAll(() => rm(folder, { recursive: true }))

/** A page with this body, whose modules may import `/index.js` and the other entries. */
export async function openWithBundle(body: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options, (url) => url.startsWith(ORIGIN))
  const html = `<!doctype html><html lang="en"><head><title>A page</title></head><body>${body}</body></html>`
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: html })
    return route.fulfill({ contentType: 'text/javascript', body: await readFile(join(folder, pathname)) })
  })
  await page.goto(`${ORIGIN}/`)
  return page
}
