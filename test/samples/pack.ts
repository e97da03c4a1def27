// Set-up of the samples: the package, packed as it would be published from what `npm run build` wrote.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { npm } from './npm.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the package. */
    readonly tarball: string
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tarball-'))
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const cwd = fileURLToPath(new URL('../../', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [npm(), ...args], { cwd })
  provide('tarball', join(folder, stdout.trim()))
  return () => rm(folder, { recursive: true })
}
