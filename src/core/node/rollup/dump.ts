// What a rollup's node knows of its layer 1, in a state dump. Format: docs/state-format.md.

import { dumpFields, loadFields } from '../../primitives/fields.ts'
import { bytesToHex, hexToBytes, toQuantity } from '../../primitives/hex.ts'
import * as json from '../../primitives/json-reader.ts'
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

function loadSystem(value: unknown, path: string): SystemConfig {
  return {
    ...loadFields(SYSTEM_FIELDS, value, path),
    ...loadFields(LATER_SYSTEM_FIELDS, value, path),
    eip1559: loadFields(EIP1559_FIELDS, json.readObject(value, path)['eip1559'], `${path}.eip1559`),
  }
}

function dumpDeposits(deposits: readonly Deposit[]) {
  return deposits.map((deposit) => bytesToHex(encodeDeposit(deposit)))
}

function loadDeposits(value: unknown, path: string): Deposit[] {
  return json.readEach(value, path, (item, at) => decodeDeposit(hexToBytes(json.readHex(item, at))))
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
function loadConfig(value: unknown, path: string): RollupConfig {
  const { stack } = json.readObject(value, path)
  const fields = loadFields(CONFIG_FIELDS, value, path)
  if (fields.l1BlockTimeS === 0) json.malformed(`${path}.l1BlockTimeS`, 'a number from 1')
  const known = json.readOneOf(stack, `${path}.stack`, STACK_NAMES)
  return { stack: known, layer1: 'made-up', l1Contracts: undefined, ...fields }
}

/** Reads what `dumpRollup` returns; `present` stands over the configuration in the dump. */
export function loadRollup(value: unknown, path: string, present: RollupConfig | undefined): RollupState {
  const fields = json.readObject(value, path)
  const config = present ?? loadConfig(fields['config'], `${path}.config`)
  const systems = json.readEach(fields['systems'], `${path}.systems`, loadSystem)
  const systemAt = (item: unknown, at: string): SystemConfig =>
    systems[json.readInteger(item, at)] ?? json.malformed(at, 'the position of one of systems')
  const loadBlock = (item: unknown, at: string): L1Block => {
    const block = json.readObject(item, at)
    return {
      ...loadFields(BLOCK_FIELDS, item, at),
      deposits: loadDeposits(block['deposits'], `${at}.deposits`),
      system: systemAt(block['system'], `${at}.system`),
    }
  }
  const blocks = json.readEach(fields['blocks'], `${path}.blocks`, loadBlock)
  const integer = (name: string) => json.readOptional(fields[name], `${path}.${name}`, json.readInteger)
  const l1Genesis = loadBlock(fields['genesis'], `${path}.genesis`)
  return {
    config,
    l1Genesis,
    firstSequenceNumber: integer('firstSequenceNumber'),
    l1Seed: json.readHash(fields['seed'], `${path}.seed`),
    l1Blocks: PersistentMap.from(blocks.map((block) => [block.number, block])),
    l1Head: blocks.reduce((last, { number }) => Math.max(last, number), l1Genesis.number),
    waiting: loadDeposits(fields['waiting'], `${path}.waiting`),
    system: systemAt(fields['system'], `${path}.system`),
    gasLimit: json.readOptional(fields['gasLimit'], `${path}.gasLimit`, (item, at) =>
      json.readAmount(item, at, 63),
    ),
    nextOrigin: integer('nextOrigin'),
    opening: undefined,
    plan: undefined,
    isOpeningTold: false,
  }
}
