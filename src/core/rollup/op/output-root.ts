// Output roots: what a proposal on the layer 1 says of an L2 block (OP specs, Proposals, version 0).

import { keccakOfWords } from '../../primitives/crypto.ts'
import { type Hash, ZERO_HASH } from '../../primitives/hex.ts'

/** The parts of an L2 block that withdrawals are proved against; the second is the storage root of L2ToL1MessagePasser. */
type OutputParts = Readonly<Record<'stateRoot' | 'messagePasserRoot' | 'blockHash', Hash>>

export function outputRoot({ stateRoot, messagePasserRoot, blockHash }: OutputParts): Hash {
  return keccakOfWords(ZERO_HASH, stateRoot, messagePasserRoot, blockHash)
}
