// What a rollup's node knows of its layer 1, in a state dump. Format: docs/state-format.md.

import { dumpFields, loadFields } from '../../primitives/fields.ts'
import { bytesToHex, toQuantity } from '../../primitives/hex.ts'
import type { ForeignJson } from '../../primitives/json-reader.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import { type Deposit, decodeDeposit, encodeDeposit } from '../../rollup/deposit.ts'
import type { SystemConfig } from '../../rollup/stack.ts'
import { STACK_NAMES } from '../../rollup/stacks.ts'
import type { L1Block, RollupConfig, RollupState } from './origins.ts'

const UINT16 = 2 ** 16 - 1
const UINT32 = 2 ** 32 - 1

/** The fields of a system configuration: those before the parameters of the base fee, and those after. */
const SYSTEM_FIELDS = {
  batcherHash: { kind: 'hash' },
  overhead: { kind: 'amount' },
  scalar: { kind: 'amount' },
  baseFeeScalar: { kind: 'integer', most: UINT32 },
  blobBaseFeeScalar: { kind: 'integer', most: UINT32 },
  gasLimit: { kind: 'gas' },
} as const
const EIP1559_FIELDS = {
  denominator: { kind: 'integer', most: UINT32 },
  elasticity: { kind: 'integer', most: UINT32 },
} as const
const LATER_SYSTEM_FIELDS = {
  operatorFeeScalar: { kind: 'integer', most: UINT32 },
  operatorFeeConstant: { kind: 'gas' },
  minBaseFee: { kind: 'gas' },
  daFootprintGasScalar: { kind: 'integer', most: UINT16 },
} as const

const BLOCK_FIELDS = {
  number: { kind: 'integer' },
  timestamp: { kind: 'integer' },
  hash: { kind: 'hash' },
  baseFee: { kind: 'amount' },
  blobBaseFee: { kind: 'amount' },
  prevRandao: { kind: 'hash', isOptional: true },
} as const

const CONFIG_FIELDS = {
  l1ChainId: { kind: 'integer' },
  l1BlockTimeS: { kind: 'integer' },
  maxSequencerDriftS: { kind: 'integer', isOptional: true },
} as const

function dumpSystem(system: SystemConfig) {
  const eip1559 = dumpFields(EIP1559_FIELDS, system.eip1559)
  return { ...dumpFields(SYSTEM_FIELDS, system), eip1559, ...dumpFields(LATER_SYSTEM_FIELDS, system) }
}

function loadSystem(dumped: ForeignJson): SystemConfig {
  return {
    ...loadFields(SYSTEM_FIELDS, dumped),
    ...loadFields(LATER_SYSTEM_FIELDS, dumped),
    eip1559: loadFields(EIP1559_FIELDS, dumped.field('eip1559')),
  }
}

function dumpDeposits(deposits: readonly Deposit[]) {
  return deposits.map((deposit) => bytesToHex(encodeDeposit(deposit)))
}

function loadDeposits(dumped: ForeignJson): Deposit[] {
  return dumped.items().map((item) => decodeDeposit(item.bytes()))
}

/** The rollup's part of a dump. Most L1 blocks have the same system configuration, which is written once. */
export function dumpRollup(rollup: RollupState) {
  const blocks = [...rollup.l1Blocks.values()].sort((a, b) => a.number - b.number)
  const { system, waiting, gasLimit, nextOrigin, l1Genesis, l1Seed } = rollup
  const systems = [...new Set([l1Genesis.system, ...blocks.map((block) => block.system), system])]
  const dumpBlock = (block: L1Block) => ({
    ...dumpFields(BLOCK_FIELDS, { prevRandao: undefined, ...block }),
    deposits: dumpDeposits(block.deposits),
    system: systems.indexOf(block.system),
  })
  return {
    config: { stack: rollup.config.stack, ...dumpFields(CONFIG_FIELDS, rollup.config) },
    seed: l1Seed,
    systems: systems.map(dumpSystem),
    genesis: dumpBlock(l1Genesis),
    blocks: blocks.map(dumpBlock),
    waiting: dumpDeposits(waiting),
    system: systems.indexOf(system),
    gasLimit: gasLimit === undefined ? undefined : toQuantity(gasLimit),
    nextOrigin,
    ...(rollup.firstSequenceNumber === undefined ? {} : { firstSequenceNumber: rollup.firstSequenceNumber }),
  }
}

/** The configuration in a dump, with a made-up layer 1. */
function loadConfig(dumped: ForeignJson): RollupConfig {
  const fields = loadFields(CONFIG_FIELDS, dumped)
  if (fields.l1BlockTimeS === 0) dumped.field('l1BlockTimeS').refuse('a number from 1')
  const stack = dumped.field('stack').oneOf(STACK_NAMES)
  return { stack, layer1: 'made-up', l1Contracts: undefined, ...fields }
}

/** Reads what `dumpRollup` returns; `present` stands over the configuration in the dump. */
export function loadRollup(dumped: ForeignJson, present: RollupConfig | undefined): RollupState {
  const config = present ?? loadConfig(dumped.field('config'))
  const systems = dumped.field('systems').items().map(loadSystem)
  const systemOf = (of: ForeignJson): SystemConfig => {
    const position = of.field('system')
    return systems[position.integer()] ?? position.refuse('the position of one of systems')
  }
  const loadBlock = (block: ForeignJson): L1Block => ({
    ...loadFields(BLOCK_FIELDS, block),
    deposits: loadDeposits(block.field('deposits')),
    system: systemOf(block),
  })
  const blocks = dumped.field('blocks').items().map(loadBlock)
  const l1Genesis = loadBlock(dumped.field('genesis'))
  return {
    config,
    l1Genesis,
    firstSequenceNumber: dumped.field('firstSequenceNumber').optional((number) => number.integer()),
    l1Seed: dumped.field('seed').hex(32),
    l1Blocks: PersistentMap.from(blocks.map((block) => [block.number, block])),
    l1Head: blocks.reduce((last, { number }) => Math.max(last, number), l1Genesis.number),
    waiting: loadDeposits(dumped.field('waiting')),
    system: systemOf(dumped),
    gasLimit: dumped.field('gasLimit').optional((gas) => gas.amount(63)),
    nextOrigin: dumped.field('nextOrigin').optional((number) => number.integer()),
    opening: undefined,
    plan: undefined,
    isOpeningTold: false,
  }
}
