// Codecs of a rollup's system configuration and of deposits.

import { type Address, bytesToHex, type Hex, hexToBytes, padLeft } from '../../primitives/hex.ts'
import { MAX_GAS_LIMIT, MAX_UINT64, MAX_UINT256 } from '../../primitives/numbers.ts'
import { B20_FEATURES, type B20Feature } from '../../rollup/base/features.ts'
import type { SystemConfig } from '../../rollup/stack.ts'
import { address, arrayOf, asFields, bytesOf, field, fieldPath, oneOf, orUnprefixed } from './basic.ts'
import { type Amount, amountUpTo, anyAmount, type Codec, numberFrom, refuse } from './codec.ts'
import { converted, decodeFields, restricted } from './object.ts'

/** Parameters of the base fee (EIP-1559). */
export interface Eip1559Options {
  /** A base fee changes by at most one part in so many. */
  readonly denominator: number
  /** The gas limit divided by the gas that a block should use. */
  readonly elasticity: number
}

/** Settings of the contract SystemConfig on the layer 1 for the layer 2; absent parts stay. */
export interface SystemConfigOptions {
  /** From ecotone on: the price of a transaction's data, in millionths of the L1 base fee. */
  readonly baseFeeScalar?: number
  /** From ecotone on: the same for the L1 blob base fee. */
  readonly blobBaseFeeScalar?: number
  /** From isthmus on: the operator fee for gas. */
  readonly operatorFeeScalar?: number
  /** From isthmus on: the operator fee of each transaction, in wei. */
  readonly operatorFeeConstant?: Amount
  /** Before ecotone: L1 gas of each transaction besides that of its data. */
  readonly overhead?: Amount
  /** Before ecotone: the price of a transaction's data, in millionths of the L1 base fee. */
  readonly scalar?: Amount
  /** From jovian on: the least base fee of the layer 2, in wei. */
  readonly minBaseFee?: Amount
  /** From jovian on: gas that a byte of a transaction counts for in the block's limit; 0 stands for 400. */
  readonly daFootprintGasScalar?: number
  /** The address that posts batches. */
  readonly batcher?: Address
  /** From holocene on: parameters of the base fee. */
  readonly eip1559?: Eip1559Options
  /** The gas limit of a block, at least 21,000,000. */
  readonly gasLimit?: Amount
}

const uint16 = numberFrom(0, 2 ** 16 - 1)
const uint32 = numberFrom(0, 2 ** 32 - 1)
const uint64 = amountUpTo(MAX_UINT64)
const uint256 = amountUpTo(MAX_UINT256)

export const eip1559Options: Codec<Eip1559Options, Eip1559Options> = {
  name: 'object with denominator and elasticity',
  decode(value, path) {
    const record = asFields(value, path, ['denominator', 'elasticity'])
    const parameter = numberFrom(1, 2 ** 32 - 1)
    return {
      denominator: parameter.decode(record.denominator, fieldPath(path, 'denominator')),
      elasticity: parameter.decode(record.elasticity, fieldPath(path, 'elasticity')),
    }
  },
}

/** The gas of deposits that one L1 block may hold, and of the L1 attributes deposit (ResourceMetering, SystemConfig). */
const MOST_DEPOSIT_GAS = 20_000_000n
const SYSTEM_GAS = 1_000_000n

/** SystemConfig.minimumGasLimit: every block has to hold the deposits of an L1 block. */
const LEAST_GAS_LIMIT = MOST_DEPOSIT_GAS + SYSTEM_GAS

export const rollupGasLimit = restricted(
  amountUpTo(MAX_GAS_LIMIT),
  `at least ${LEAST_GAS_LIMIT}, for the deposits of an L1 block`,
  (gas) => gas >= LEAST_GAS_LIMIT && gas,
)

const SYSTEM_CONFIG: { readonly [Name in keyof SystemConfigOptions]-?: Codec<unknown> } = {
  baseFeeScalar: uint32,
  blobBaseFeeScalar: uint32,
  operatorFeeScalar: uint32,
  operatorFeeConstant: uint64,
  overhead: uint256,
  scalar: uint256,
  minBaseFee: uint64,
  daFootprintGasScalar: uint16,
  batcher: converted(address, (batcher) => bytesToHex(padLeft(hexToBytes(batcher), 32))),
  eip1559: eip1559Options,
  gasLimit: rollupGasLimit,
}

export const systemConfigChanges: Codec<Partial<SystemConfig>, SystemConfigOptions> = {
  name: 'object with parts of a system configuration',
  decode(value, path) {
    const { batcher: batcherHash, ...others } = decodeFields(value, path, SYSTEM_CONFIG)
    const changes = Object.entries({ ...others, batcherHash })
    return Object.fromEntries(changes.filter(([, part]) => part !== undefined))
  },
}

/** A deposit as the portal on the layer 1 takes it. */
export interface DepositOptions {
  /** The sender on the layer 2. */
  readonly from: Address
  /** Absent or null for a contract creation. */
  readonly to?: Address | null | undefined
  /** Wei that the call carries. Default 0. */
  readonly value?: Amount
  /** Wei that come into being for the sender, even if the deposit fails. Default 0. */
  readonly mint?: Amount
  /** Gas on the layer 2, at least 21,000 and 40 for each byte of data. Default 100,000 more than that. */
  readonly gasLimit?: Amount
  /** Bytes or hex, up to 120,000 bytes. Default none. */
  readonly data?: Uint8Array | Hex
}

/** The names of a transaction's fields elsewhere. */
const DEPOSIT_HINTS: ReadonlyMap<string, string> = new Map([
  ['gas', 'gasLimit'],
  ['input', 'data'],
])

const MOST_DATA_BYTES = 120_000
const DEFAULT_CALL_GAS = 100_000n

/** A deposit that passes the checks of OptimismPortal.depositTransaction and ResourceMetering. */
export const depositRequest = {
  name: 'object with from, to, value, mint, gasLimit and data',
  decode(value, path) {
    const given = asFields(value, path, ['from', 'to', 'value', 'mint', 'gasLimit', 'data'], DEPOSIT_HINTS)
    const part = <Value>(name: keyof typeof given, codec: Codec<Value>, fallback: Value): Value =>
      given[name] === undefined ? fallback : codec.decode(given[name], fieldPath(path, name))
    const data = part('data', bytesOf(), new Uint8Array(0))
    if (data.length > MOST_DATA_BYTES) {
      const words = `OptimismPortal_CalldataTooLarge: expected at most ${MOST_DATA_BYTES} bytes, got ${data.length}`
      refuse(fieldPath(path, 'data'), words)
    }
    // OptimismPortal.minimumGasLimit
    const least = BigInt(data.length) * 40n + 21_000n
    const gas = part('gasLimit', uint64, least + DEFAULT_CALL_GAS)
    const refuseGas = (words: string) => refuse(fieldPath(path, 'gasLimit'), `${words}, got ${gas}`)
    if (gas < least) refuseGas(`OptimismPortal_GasLimitTooLow: expected at least ${least}`)
    if (gas > MOST_DEPOSIT_GAS) refuseGas(`OutOfGas: an L1 block has ${MOST_DEPOSIT_GAS} gas for deposits`)
    return {
      from: address.decode(given.from, fieldPath(path, 'from')),
      to: field(given, 'to', orUnprefixed(address), path),
      value: part('value', anyAmount, 0n),
      mint: part('mint', amountUpTo(2n ** 128n - 1n), 0n),
      gasLimit: gas,
      data,
    }
  },
} satisfies Codec<unknown>

export const b20Feature: Codec<B20Feature> = oneOf(B20_FEATURES)

export const b20Features = arrayOf(b20Feature, B20_FEATURES.length)
