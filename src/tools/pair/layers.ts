// The layers of a rollup before they are bound to each other, founded or forked.

import type { Emulator } from '../../core/emulator/api.ts'
import { internalsOf } from '../../core/emulator/internals.ts'
import { addressOfKey } from '../../core/emulator/options/test-accounts.ts'
import type { Node } from '../../core/node/node.ts'
import type { L1Block } from '../../core/node/rollup/rollup-state.ts'
import { keccak256Hex } from '../../core/primitives/crypto.ts'
import { type Address, hexToBytes, utf8ToBytes } from '../../core/primitives/hex.ts'
import type { Layer2Config, Sender } from './pair-state.ts'

/** A layer 2, with what it has on the layer 1. */
export interface LooseLayer2 extends Pick<Layer2Config, 'addresses' | 'batchInbox'> {
  readonly l2: Emulator
  readonly batcher: Sender
  readonly proposer: Omit<Layer2Config['proposer'], 'intervalMs'>
  /** The L1 blocks from the origin of its first block on. */
  readonly l1Blocks: readonly L1Block[]
}

export interface LooseLayers {
  readonly l1: Emulator
  readonly chains: readonly LooseLayer2[]
}

/** No block of a layer 2 is safe or final but by the layer 1. */
export const NEVER = Number.MAX_SAFE_INTEGER

/** The balance of the batcher and the proposer: enough for fees and bonds of any test. */
export const SENDER_BALANCE = 10n ** 27n

/** One of the rollup's own accounts on the layer 1. */
export async function roleSender(role: 'batcher' | 'proposer', chainId: number): Promise<Sender> {
  const privateKey = keccak256Hex(utf8ToBytes(`tickchain: ${role} of chain ${chainId}`))
  return { address: (await addressOfKey(privateKey)) as Address, privateKey: hexToBytes(privateKey) }
}

export function nodeOf(emulator: Emulator): Node {
  return internalsOf('createRollup', emulator).session.node
}

/** The name of the option that a layer 2 has. */
export function pathOf(l2s: readonly unknown[], index: number): string {
  return l2s.length === 1 ? 'l2' : `l2[${index}]`
}
