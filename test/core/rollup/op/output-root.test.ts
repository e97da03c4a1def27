import { concatHex, keccak256 } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { outputRoot } from '../../../../src/core/rollup/op/output-root.ts'

beforeAll(loadCrypto)

test('an output root is the hash of four words, the version zero first', () => {
  const stateRoot = `0x${'01'.repeat(32)}` as const
  const messagePasserRoot = `0x${'02'.repeat(32)}` as const
  const blockHash = `0x${'03'.repeat(32)}` as const
  const words = concatHex([`0x${'00'.repeat(32)}`, stateRoot, messagePasserRoot, blockHash])
  expect(outputRoot({ stateRoot, messagePasserRoot, blockHash })).toBe(keccak256(words))
})
