// The recorded chain of execution-apis in @ethereumjs/vm: every block, through every fork, is taken by both, from the
// same genesis to the same head. It is outside of the repository, in the folder TICKCHAIN_CONFORMANCE.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GethGenesis } from '@ethereumjs/common'
import { RLP } from '@ethereumjs/rlp'
import { createEmulator } from 'tickchain'
import { bytesToHex } from 'viem'
import { expect, test } from 'vitest'
import { readChain } from '../../scripts/conformance/vectors.js'
import { findFolder } from '../conformance/folder.ts'
import { startReferenceChain } from './reference-chain.ts'

const { directory, isThere, absence } = findFolder('TICKCHAIN_CONFORMANCE', 'execution-apis')

/** The blocks of an export, one by one. */
function* blocksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let rest = bytes; rest.length > 0; ) {
    const { remainder } = RLP.decode(rest, true)
    yield rest.slice(0, rest.length - remainder.length)
    rest = remainder
  }
}

test.skipIf(!isThere)(`every recorded block runs in @ethereumjs/vm to the same head${absence}`, async () => {
  const genesis = JSON.parse(readFileSync(join(directory, 'genesis.json'), 'utf8')) as GethGenesis
  const reference = await startReferenceChain(genesis)
  const chain = await createEmulator({ genesis: genesis as never, accounts: [] })
  const blockOf = (tag: '0x0' | 'latest') => chain.request('eth_getBlockByNumber', [tag, false])
  expect((await blockOf('0x0'))?.hash).toBe(reference.genesisHash)
  let count = 0
  for (const block of blocksOf(readChain(directory))) {
    await reference.importBlock(block)
    await chain.importBlocks(block)
    expect((await blockOf('latest'))?.hash).toBe(bytesToHex(reference.head().hash()))
    count++
  }
  expect(count).toBeGreaterThan(40)
})
