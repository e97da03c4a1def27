// Pages in Chromium, which fail a test that leaves an error on the console or loads something.

import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.connect(inject('chromium'))
})
afterAll(() => browser.close())

const complaints: string[] = []
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  expect(takeComplaints()).toEqual([])
})

/** What pages have complained of so far, for a test that expects it. */
export function takeComplaints(): string[] {
  return complaints.splice(0)
}

/** A new page that reports its errors, and every request that `mayLoad` does not allow. */
export async function newPage(
  options: BrowserContextOptions = {},
  mayLoad: (url: string) => boolean = () => false,
): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(`${error.stack ?? error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!/^(?:about|data|blob):/.test(url) && !mayLoad(url)) complaints.push(`loads ${url}`)
  })
  return page
}

/** A page with this HTML. */
export async function openHtml(html: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options)
  await page.setContent(html)
  return page
}

/** What axe finds on a page, without frames in it: nothing, if it is accessible. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({ iframes: false })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}
