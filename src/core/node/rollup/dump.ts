// What a rollup's node knows of its layer 1, in a state dump. Format: docs/state-format.md.

import { bytesToHex, hexToBytes, toQuantity } from '../../primitives/hex.ts'
import {
  malformed,
  readAmount,
  readArray,
  readEach,
  readHash,
  readHex,
  readInteger,
  readObject,
  readOptional,
} from '../../primitives/json-reader.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import { type Deposit, decodeDeposit, encodeDeposit } from '../../rollup/deposit.ts'
import type { SystemConfig } from '../../rollup/stack.ts'
import type { L1Block, RollupState } from './rollup-state.ts'

const UINT16 = 2 ** 16 - 1
const UINT32 = 2 ** 32 - 1

/** Field by field: the order must not depend on how the value came about. */
function dumpSystem(system: SystemConfig) {
  return {
    batcherHash: system.batcherHash,
    overhead: toQuantity(system.overhead),
    scalar: toQuantity(system.scalar),
    baseFeeScalar: system.baseFeeScalar,
    blobBaseFeeScalar: system.blobBaseFeeScalar,
    gasLimit: toQuantity(system.gasLimit),
    eip1559: { denominator: system.eip1559.denominator, elasticity: system.eip1559.elasticity },
    operatorFeeScalar: system.operatorFeeScalar,
    operatorFeeConstant: toQuantity(system.operatorFeeConstant),
    minBaseFee: toQuantity(system.minBaseFee),
    daFootprintGasScalar: system.daFootprintGasScalar,
  }
}

function loadSystem(value: unknown, path: string): SystemConfig {
  const system = readObject(value, path)
  const eip1559 = readObject(system['eip1559'], `${path}.eip1559`)
  const integer = (name: string, most: number): number => readInteger(system[name], `${path}.${name}`, most)
  const amount = (name: string, bits: 64 | 256): bigint => readAmount(system[name], `${path}.${name}`, bits)
  const parameter = (name: string): number => readInteger(eip1559[name], `${path}.eip1559.${name}`, UINT32)
  return {
    batcherHash: readHash(system['batcherHash'], `${path}.batcherHash`),
    overhead: amount('overhead', 256),
    scalar: amount('scalar', 256),
    baseFeeScalar: integer('baseFeeScalar', UINT32),
    blobBaseFeeScalar: integer('blobBaseFeeScalar', UINT32),
    gasLimit: amount('gasLimit', 64),
    eip1559: { denominator: parameter('denominator'), elasticity: parameter('elasticity') },
    operatorFeeScalar: integer('operatorFeeScalar', UINT32),
    operatorFeeConstant: amount('operatorFeeConstant', 64),
    minBaseFee: amount('minBaseFee', 64),
    daFootprintGasScalar: integer('daFootprintGasScalar', UINT16),
  }
}

function dumpDeposits(deposits: readonly Deposit[]) {
  return deposits.map((deposit) => bytesToHex(encodeDeposit(deposit)))
}

function loadDeposits(value: unknown, path: string): Deposit[] {
  return readEach(value, path, (item, at) => decodeDeposit(hexToBytes(readHex(item, at))))
}

/** The rollup's part of a dump. Most L1 blocks have the same system configuration, which is written once. */
export function dumpRollup(rollup: RollupState) {
  const blocks = [...rollup.l1Blocks.values()].sort((a, b) => a.number - b.number)
  const { system, waiting, gasLimit, nextOrigin, l1Genesis, l1Seed } = rollup
  const systems = [...new Set([l1Genesis.system, ...blocks.map((block) => block.system), system])]
  const dumpBlock = (block: L1Block) => ({
    ...{ number: block.number, timestamp: block.timestamp, hash: block.hash },
    ...{ baseFee: toQuantity(block.baseFee), blobBaseFee: toQuantity(block.blobBaseFee) },
    prevRandao: block.prevRandao,
    deposits: dumpDeposits(block.deposits),
    system: systems.indexOf(block.system),
  })
  return {
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

/** Reads what `dumpRollup` returns. */
export function loadRollup(value: unknown, path: string): RollupState {
  const fields = readObject(value, path)
  const systems = readEach(fields['systems'], `${path}.systems`, loadSystem)
  const systemAt = (item: unknown, at: string): SystemConfig =>
    systems[readInteger(item, at)] ?? malformed(at, 'the position of one of systems')
  const loadBlock = (item: unknown, at: string): L1Block => {
    const block = readObject(item, at)
    const prevRandao = readOptional(block['prevRandao'], `${at}.prevRandao`, readHash)
    return {
      ...(prevRandao === undefined ? {} : { prevRandao }),
      number: readInteger(block['number'], `${at}.number`),
      timestamp: readInteger(block['timestamp'], `${at}.timestamp`),
      hash: readHash(block['hash'], `${at}.hash`),
      baseFee: readAmount(block['baseFee'], `${at}.baseFee`),
      blobBaseFee: readAmount(block['blobBaseFee'], `${at}.blobBaseFee`),
      deposits: loadDeposits(block['deposits'], `${at}.deposits`),
      system: systemAt(block['system'], `${at}.system`),
    }
  }
  const blocks = readArray(fields['blocks'], `${path}.blocks`).map((item, index) =>
    loadBlock(item, `${path}.blocks[${index}]`),
  )
  const l1Genesis = loadBlock(fields['genesis'], `${path}.genesis`)
  return {
    l1Genesis,
    firstSequenceNumber: readOptional(
      fields['firstSequenceNumber'],
      `${path}.firstSequenceNumber`,
      (item, at) => readInteger(item, at),
    ),
    l1Seed: readHash(fields['seed'], `${path}.seed`),
    l1Blocks: PersistentMap.from(blocks.map((block) => [block.number, block])),
    l1Head: blocks.reduce((last, { number }) => Math.max(last, number), l1Genesis.number),
    waiting: loadDeposits(fields['waiting'], `${path}.waiting`),
    system: systemAt(fields['system'], `${path}.system`),
    gasLimit: readOptional(fields['gasLimit'], `${path}.gasLimit`, (item, at) => readAmount(item, at, 63)),
    nextOrigin: readOptional(fields['nextOrigin'], `${path}.nextOrigin`, (item, at) => readInteger(item, at)),
    opening: undefined,
    plan: undefined,
    isOpeningTold: false,
  }
}
