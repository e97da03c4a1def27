// Set-up of the browser tests: one headless Chromium for all files, which connect to it.
// CHROMIUM_PATH names another one than that of the package @sparticuz/chromium.

import chromiumPackage from '@sparticuz/chromium'
import { type BrowserServer, chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to connect. */
    readonly chromium: string
  }
}

const HOW_TO_INSTALL =
  'Run `npm ci --ignore-scripts`, which brings one, or `apt-get install chromium` and set CHROMIUM_PATH=/usr/bin/chromium'

/** A Chromium that tests connect to: the one at this path, or else that of the package. */
export async function startChromium(path?: string): Promise<BrowserServer> {
  try {
    const executablePath = path ?? (await chromiumPackage.executablePath())
    return await chromium.launchServer({ executablePath, args: ['--no-sandbox'] })
  } catch (cause) {
    throw new Error(`${path ?? 'Chromium'} does not start. ${HOW_TO_INSTALL}.`, { cause })
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startChromium(process.env['CHROMIUM_PATH'])
  provide('chromium', server.wsEndpoint())
  return () => server.close()
}
