// Set-up of the tests that compare with other emulators: their installation from npm, once for all of them.

import type { TestProject } from 'vitest/node'
import { installPeers } from '../../benchmarks/comparison/peers.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a Node that all emulators support. */
    readonly node: string
  }
}

export default function setup({ provide }: TestProject): void {
  provide(
    'node',
    installPeers((text) => process.stderr.write(`${text}\n`)),
  )
}
