// The proposer's dispute games, as the logs of the layer 1 tell of them.

import type { SealedBlock } from '../../../core/chain/block/block.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { type Address, type Hash, utf8ToBytes } from '../../../core/primitives/hex.ts'
import type { PersistentMap } from '../../../core/primitives/persistent-map.ts'

interface Topics {
  readonly created: Hash
  readonly resolved: Hash
}

let known: Topics | undefined

function topics(): Topics {
  const topic = (signature: string): Hash => keccak256Hex(utf8ToBytes(signature))
  known ??= {
    created: topic('DisputeGameCreated(address,uint32,bytes32)'),
    resolved: topic('Resolved(uint8)'),
  }
  return known
}

/** The games that are not resolved after an L1 block, with the seconds at which they were created. */
export function gamesAfter(
  before: PersistentMap<Address, number>,
  { header, executed }: SealedBlock,
  factory: Address,
  proposer: Address,
): PersistentMap<Address, number> {
  const { created, resolved } = topics()
  let games = before
  for (const { transaction, receipt } of executed) {
    for (const {
      address,
      topics: [topic, game],
    } of receipt.logs) {
      const isCreated = address === factory && topic === created && transaction.sender === proposer
      if (isCreated && game !== undefined) games = games.set(`0x${game.slice(-40)}`, header.timestamp)
      else if (topic === resolved) games = games.delete(address)
    }
  }
  return games
}
