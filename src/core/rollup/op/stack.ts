// The OP stack, as the value that execution, chain and node know of it.

import type { Address, Hash } from '../../primitives/hex.ts'
import { memoizeLru } from '../../primitives/lru-cache.ts'
import type { Eip1559Parameters } from '../fees.ts'
import type { RollupStack, StackRules } from '../stack.ts'
import { effectOfTime, readTimePart, timeDeposit } from './base-time.ts'
import { decodeExtraData, encodeExtraData, nextOpBaseFee } from './extra-data.ts'
import { changesUpTo, OP_FORK_ROWS, type OpFork } from './forks.ts'
import * as attributes from './l1-attributes.ts'
import { effectOfAttributes } from './l1-block.ts'
import * as costs from './l1-costs.ts'
import { networks } from './networks.ts'
import { BASE_TIME, DEPOSITOR, OP_PREDEPLOYS } from './predeploys.ts'
import { IMPLEMENTATION_SLOT, implementationOf } from './proxies.ts'

/** A block's attributes are read several times while the next block is built. */
const REMEMBERED_BLOCKS = 8

const EFFECTS: Readonly<Record<Address, typeof effectOfTime>> = {
  [OP_PREDEPLOYS.L1Block]: effectOfAttributes,
  [BASE_TIME]: effectOfTime,
}

const VAULTS = {
  tips: OP_PREDEPLOYS.SequencerFeeVault,
  baseFees: OP_PREDEPLOYS.BaseFeeVault,
  l1Fees: OP_PREDEPLOYS.L1FeeVault,
  operatorFees: OP_PREDEPLOYS.OperatorFeeVault,
}

const READ_BY_BLOCKS: RollupStack['readByBlocks'] = new Map<Address, Set<Hash>>([
  [OP_PREDEPLOYS.L1Block, new Set([...attributes.L1_BLOCK_SLOTS, IMPLEMENTATION_SLOT])],
  ...[DEPOSITOR, OP_PREDEPLOYS.L2ToL1MessagePasser, ...Object.values(VAULTS)].map(
    (address) => [address, new Set<Hash>()] as const,
  ),
])

// A predeploy and what is behind its proxy have one name, as the call of one is passed on to the other.
const ACCOUNT_NAMES = new Map<Address, string>(
  Object.entries({ ...OP_PREDEPLOYS, BaseTime: BASE_TIME }).flatMap(([name, address]) => [
    [address, name],
    [implementationOf(address), name],
  ]),
)

export const OP_STACK = {
  name: 'op',
  forks: OP_FORK_ROWS,
  attributes: { sender: DEPOSITOR, contract: OP_PREDEPLOYS.L1Block },
  attributesDeposit: attributes.attributesDeposit,
  timeDeposit,
  readTimePart,
  readAttributes: memoizeLru(REMEMBERED_BLOCKS, attributes.readAttributes),
  readOriginId: memoizeLru(REMEMBERED_BLOCKS, attributes.readOriginId),
  effectOfDeposit: (state, to, data) => EFFECTS[to]?.(state, data),
  attributesFromSlots: attributes.attributesFromSlots,
  networks,
  vaults: VAULTS,
  accountNames: ACCOUNT_NAMES,
  readByBlocks: READ_BY_BLOCKS,
  feeSlots: attributes.FEE_SLOTS,
  feesFromState: costs.parametersFromState,
  feesFromAttributes: costs.parametersFromAttributes,
  l1Cost: costs.l1Cost,
  operatorFee: costs.operatorFee,
  daFootprint: costs.daFootprint,
  encodeExtraData,
  decodeExtraData,
  nextBaseFee: nextOpBaseFee,
  messagePasser: OP_PREDEPLOYS.L2ToL1MessagePasser,
} as const satisfies RollupStack

/** The rules of a fork, with what its first block does. */
export function opRules(
  fork: OpFork,
  eip1559: Eip1559Parameters,
  { begins = [], ...rest }: Partial<Pick<StackRules, 'begins' | 'features' | 'firstMillis'>> = {},
): StackRules {
  return { stack: OP_STACK, fork, changes: changesUpTo(fork), eip1559, begins, ...rest }
}
