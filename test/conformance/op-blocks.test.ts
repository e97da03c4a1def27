// Real blocks of OP Sepolia, which a fork at the parent builds from their payload attributes. They are outside of the
// repository, in the folder TICKCHAIN_OP_BLOCKS.
import { describe, expect, test } from 'vitest'
import { opBlockNames, readOpBlock, runOpBlock } from '../../scripts/conformance/op-blocks.js'
import { createEmulator } from '../../src/index.ts'
import { findFolder } from './folder.ts'

const { directory, isThere, absence } = findFolder('TICKCHAIN_OP_BLOCKS', 'op-blocks')
const names = isThere ? opBlockNames(directory) : []

describe.skipIf(!isThere)(`blocks of the OP stack${absence}`, () => {
  test.each(names.flatMap((name) => (['wasm', 'reference'] as const).map((each) => [name, each] as const)))(
    'block %s on the interpreter %s',
    async (name, interpreter) => {
      const start = (options: object) => createEmulator({ ...options, interpreter })
      expect(await runOpBlock(start, readOpBlock(directory, name))).toBe(undefined)
    },
    300_000,
  )
})
