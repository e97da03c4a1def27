// The output root of a block of layer 2: https://specs.optimism.io/protocol/proposals.html#l2-output-commitment-construction

import { concatHex, type Hash, keccak256, zeroHash } from 'viem'
import { chainConfig } from 'viem/op-stack'
import type { LayerClient } from './sides.ts'

export async function outputRoot(l2: LayerClient): Promise<{ root: Hash; number: bigint }> {
  const { number, hash, stateRoot } = await l2.getBlock()
  const address = chainConfig.contracts.l2ToL1MessagePasser.address
  const { storageHash } = await l2.getProof({ address, storageKeys: [], blockNumber: number })
  const version = zeroHash
  return { root: keccak256(concatHex([version, stateRoot, storageHash, hash])), number }
}
