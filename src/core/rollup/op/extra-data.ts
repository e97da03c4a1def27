// The parameters of the base fee in a header's extraData, since holocene, and the base fee that follows from them (OP
// stack specification, holocene and jovian, execution engine).

import { failure } from '../../primitives/errors.ts'
import { bigIntToBytes, bytesToBigInt, EMPTY_BYTES, padLeft } from '../../primitives/hex.ts'
import { nextBaseFee } from '../fees.ts'
import type { ExtraData, RollupStack, RulesOfStack, StackRules, SystemConfig } from '../stack.ts'
import { integerAt, putInteger } from './big-endian.ts'
import { isOpForkActive } from './forks.ts'

const HOLOCENE = { fork: 'holocene', version: 0, length: 9 } as const
const JOVIAN = { fork: 'jovian', version: 1, length: 17 } as const
/** Where the fields begin. */
const DENOMINATOR = 1
const ELASTICITY = 5
const MIN_BASE_FEE = 9

type ExtraDataLayout = typeof HOLOCENE | typeof JOVIAN

function layoutUnder(rules: RulesOfStack): ExtraDataLayout | undefined {
  if (isOpForkActive(rules, 'jovian')) return JOVIAN
  return isOpForkActive(rules, 'holocene') ? HOLOCENE : undefined
}

/** The extraData of a block with this system configuration; empty before holocene. */
export function encodeExtraData(
  rules: RulesOfStack,
  { eip1559, minBaseFee }: Pick<SystemConfig, 'eip1559' | 'minBaseFee'>,
): Uint8Array {
  const layout = layoutUnder(rules)
  if (layout === undefined) return EMPTY_BYTES
  const ofChain = (rules.rollup as StackRules).eip1559
  const { denominator, elasticity } = eip1559.denominator === 0 ? ofChain : eip1559
  const bytes = new Uint8Array(layout.length)
  bytes[0] = layout.version
  putInteger(bytes, DENOMINATOR, 4, Number(denominator))
  putInteger(bytes, ELASTICITY, 4, Number(elasticity))
  if (layout === JOVIAN) bytes.set(padLeft(bigIntToBytes(minBaseFee), 8), MIN_BASE_FEE)
  return bytes
}

function refuse(reason: string): never {
  throw failure('invalidExtraData', { reason })
}

function readLayout(layout: ExtraDataLayout, bytes: Uint8Array): ExtraData {
  const { fork, version, length } = layout
  if (bytes.length !== length) refuse(`${fork} extraData should be ${length} bytes, got ${bytes.length}`)
  if (bytes[0] !== version) refuse(`${fork} extraData version byte should be ${version}, got ${bytes[0]}`)
  const denominator = BigInt(integerAt(bytes, DENOMINATOR, 4))
  const elasticity = BigInt(integerAt(bytes, ELASTICITY, 4))
  if (denominator === 0n) refuse(`${fork} extraData must have a denominator of at least 1`)
  if (elasticity === 0n) refuse(`${fork} extraData must have an elasticity of at least 1`)
  const minBaseFee = layout === JOVIAN ? bytesToBigInt(bytes.slice(MIN_BASE_FEE)) : 0n
  return { eip1559: { denominator, elasticity }, minBaseFee }
}

/** Reads the extraData of a block; `undefined` before holocene, when it is empty. Throws `invalidExtraData`. */
export function decodeExtraData(rules: RulesOfStack, bytes: Uint8Array): ExtraData | undefined {
  const layout = layoutUnder(rules)
  if (layout !== undefined) return readLayout(layout, bytes)
  if (bytes.length > 0) refuse('extraData must be empty before holocene')
  return undefined
}

/**
 * The base fee of the block after `parent`, under the rules of that block. The parent's extraData sets the parameters;
 * before holocene, the chain does.
 */
export function nextOpBaseFee(
  rules: RulesOfStack,
  { rules: before, header }: Parameters<RollupStack['nextBaseFee']>[1],
): bigint {
  // Before holocene it may say anything: that of OP Mainnet's first block is `BEDROCK`.
  const layout = layoutUnder(before)
  const extraData = layout && readLayout(layout, header.extraData)
  const { baseFeePerGas, gasLimit, gasUsed, blobGasUsed } = header
  const isFootprintMetered = isOpForkActive(before, 'jovian') && blobGasUsed > gasUsed
  const metered = isFootprintMetered ? { baseFeePerGas, gasLimit, gasUsed: blobGasUsed } : header
  const baseFee = nextBaseFee(metered, extraData?.eip1559 ?? rules.rollup?.eip1559)
  const least = extraData?.minBaseFee ?? 0n
  return baseFee > least ? baseFee : least
}
