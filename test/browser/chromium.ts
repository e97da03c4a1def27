// Set-up of the browser tests: one headless Chromium for all files, which connect to it.
// CHROMIUM_PATH names another one than that of the package @sparticuz/chromium.

import chromiumPackage from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to connect. */
    readonly chromium: string
  }
}

async function findChromium(): Promise<string> {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined) return named
  try {
    return await chromiumPackage.executablePath()
  } catch (cause) {
    throw new Error('no Chromium: run `npm ci`, or name one in CHROMIUM_PATH', { cause })
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const executablePath = await findChromium()
  const server = await chromium
    .launchServer({ executablePath, args: ['--no-sandbox'] })
    .catch((cause: unknown) => {
      throw new Error(`${executablePath} does not start; name another Chromium in CHROMIUM_PATH`, { cause })
    })
  provide('chromium', server.wsEndpoint())
  return () => server.close()
}
