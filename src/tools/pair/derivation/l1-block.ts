// An L1 block as the layer 2 sees it: origin, deposits, and the system configuration after its logs (OP specs, Deposits,
// "Address Aliasing" and "Deposit Contract", and System Config).

import type { SealedBlock } from '../../../core/chain/block/block.ts'
import type { Log } from '../../../core/execution/transaction/transaction.ts'
import type { L1Block } from '../../../core/node/rollup/origins.ts'
import * as hex from '../../../core/primitives/hex.ts'
import { type Deposit, userSourceHash } from '../../../core/rollup/deposit.ts'
import type { SystemConfig } from '../../../core/rollup/stack.ts'
import type { L1Addresses } from '../l1-addresses.ts'

const WORD = 32

/** The topics of `TransactionDeposited(address,address,uint256,bytes)` and `ConfigUpdate(uint256,uint8,bytes)`. */
const DEPOSITED = '0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32'
const UPDATED = '0x1d2b0bda21d56b8bd12d4f94ebacffdfb35f5e226f84b461103bb8beab6353be'

/** The only unindexed parameter of an event, of type `bytes`, as strictly as op-node reads them: no bytes before, between or after. */
function abiBytes(data: Uint8Array): Uint8Array | undefined {
  if (data.length < 2 * WORD || hex.bytesToBigInt(data.subarray(0, WORD)) !== BigInt(WORD)) return undefined
  const length = hex.bytesToBigInt(data.subarray(WORD, 2 * WORD))
  if (length > BigInt(data.length)) return undefined
  const end = 2 * WORD + Number(length)
  const padded = Math.ceil(end / WORD) * WORD
  return padded === data.length ? data.subarray(2 * WORD, end) : undefined
}

/** The packed part before the data: mint and value of 32 bytes, a gas limit of 8, and whether a contract is created. */
const MINT = 0
const VALUE = 32
const DEPOSIT_GAS = 64
const IS_CREATION = 72
const DATA = 73

function addressOf(word: hex.Hash): hex.Address {
  return `0x${word.slice(-40)}`
}

/** The deposit that a log of the portal stands for; `undefined` for other logs, and for other versions than 0. */
export function depositOf(log: Log, l1BlockHash: hex.Hash, logIndex: number): Deposit | undefined {
  const [event, from, to, version] = log.topics
  if (event !== DEPOSITED || from === undefined || to === undefined || version !== hex.ZERO_HASH)
    return undefined
  const packed = abiBytes(log.data)
  if (packed === undefined || packed.length < DATA) return undefined
  const number = (start: number, end: number): bigint => hex.bytesToBigInt(packed.subarray(start, end))
  return {
    sourceHash: userSourceHash(l1BlockHash, logIndex),
    from: addressOf(from),
    to: packed[IS_CREATION] === 0 ? addressOf(to) : undefined,
    mint: number(MINT, VALUE),
    value: number(VALUE, DEPOSIT_GAS),
    gasLimit: number(DEPOSIT_GAS, IS_CREATION),
    isSystem: false,
    data: packed.slice(DATA),
  }
}

/** A log with its place among those of its block. */
export type PlacedLog = readonly [log: Log, index: number]

/** The logs of a block, in their order; those of failed transactions do not exist. */
export function placedLogs({ executed }: SealedBlock): readonly PlacedLog[] {
  return executed.flatMap(({ receipt, firstLogIndex }) =>
    receipt.logs.map((log, index): PlacedLog => [log, firstLogIndex + index]),
  )
}

/** The numbers of the kinds of updates. */
const BATCHER = 0n
const FEE_SCALARS = 1n
const GAS_LIMIT = 2n
/** Without effect on derivation. */
const UNSAFE_BLOCK_SIGNER = 3n
const EIP_1559_PARAMS = 4n
const OPERATOR_FEE_PARAMS = 5n
const MIN_BASE_FEE = 6n
const DA_FOOTPRINT_GAS_SCALAR = 7n

const MAX_UINT64 = 2n ** 64n - 1n
const MAX_UINT16 = 0xffffn

/** A word as two numbers of 32 bits, its last eight bytes. */
function pairOf(word: Uint8Array): readonly [high: number, low: number] {
  const view = new DataView(word.buffer, word.byteOffset + WORD - 8, 8)
  return [view.getUint32(0), view.getUint32(4)]
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

/**
 * The scalars in a word of the L1 data fee: version 0 has the one of before ecotone, version 1 both of ecotone. Other
 * words are no scalars from ecotone on.
 */
function ecotoneScalars(word: Uint8Array) {
  const [blobBaseFeeScalar, baseFeeScalar] = pairOf(word)
  if (word[0] === 0 && isZero(word.subarray(1, 28))) return { baseFeeScalar, blobBaseFeeScalar: 0 }
  if (word[0] === 1 && isZero(word.subarray(1, 24))) return { baseFeeScalar, blobBaseFeeScalar }
  return undefined
}

function withFeeScalars(system: SystemConfig, content: Uint8Array, isEcotone: boolean): SystemConfig {
  const overhead = hex.bytesToBigInt(content.subarray(0, WORD))
  const word = content.subarray(WORD)
  const scalars = ecotoneScalars(word)
  const scalar = hex.bytesToBigInt(word)
  if (!isEcotone) return { ...system, overhead, scalar, ...scalars }
  return scalars === undefined ? system : { ...system, overhead: 0n, scalar, ...scalars }
}

/** The configuration after an update of one word; `undefined` for a word that op-node refuses. */
function withWord(system: SystemConfig, kind: bigint, word: Uint8Array): SystemConfig | undefined {
  const value = hex.bytesToBigInt(word)
  const [high, low] = pairOf(word)
  switch (kind) {
    case BATCHER:
      return { ...system, batcherHash: hex.bytesToHex(hex.padLeft(word.subarray(12), WORD)) }
    case GAS_LIMIT:
      return value > MAX_UINT64 ? undefined : { ...system, gasLimit: value }
    case EIP_1559_PARAMS:
      // Zero stands for the chain's own parameters, and both or none are set.
      if ((high === 0) !== (low === 0)) return undefined
      return { ...system, eip1559: { denominator: high, elasticity: low } }
    case OPERATOR_FEE_PARAMS:
      return {
        ...system,
        operatorFeeScalar: Number((value >> 64n) & 0xffff_ffffn),
        operatorFeeConstant: value & MAX_UINT64,
      }
    case MIN_BASE_FEE:
      return value > MAX_UINT64 ? undefined : { ...system, minBaseFee: value }
    case DA_FOOTPRINT_GAS_SCALAR:
      return value > MAX_UINT16 ? undefined : { ...system, daFootprintGasScalar: Number(value) }
    default:
      return undefined
  }
}

/**
 * The configuration after a log of SystemConfig. Logs that are no update, or a malformed one, change nothing.
 *
 * `isEcotone`: whether ecotone is active at the time of the L1 block, which decides how scalars are read.
 */
export function updateSystem(system: SystemConfig, log: Log, isEcotone: boolean): SystemConfig {
  const [event, version, kindWord] = log.topics
  if (event !== UPDATED || version !== hex.ZERO_HASH || kindWord === undefined) return system
  const kind = BigInt(kindWord)
  const content = abiBytes(log.data)
  if (content === undefined || kind === UNSAFE_BLOCK_SIGNER) return system
  if (kind === FEE_SCALARS)
    return content.length === 2 * WORD ? withFeeScalars(system, content, isEcotone) : system
  return content.length === WORD ? (withWord(system, kind, content) ?? system) : system
}

/** Reads an L1 block with its logs. `isEcotoneAt`: true if ecotone is active on the layer 2 at a time in seconds. */
export function readL1Block(
  { header, hash }: Pick<SealedBlock, 'header' | 'hash'>,
  logs: readonly PlacedLog[],
  before: SystemConfig,
  { optimismPortal: portal, systemConfig }: Pick<L1Addresses, 'optimismPortal' | 'systemConfig'>,
  isEcotoneAt: (timestamp: number) => boolean,
): L1Block {
  const isEcotone = isEcotoneAt(header.timestamp)
  const logsBy = (contract: hex.Address) => logs.filter(([{ address }]) => address === contract)
  return {
    number: header.number,
    timestamp: header.timestamp,
    hash,
    prevRandao: header.prevRandao,
    baseFee: header.baseFeePerGas,
    blobBaseFee: header.blobBaseFee,
    deposits: logsBy(portal).flatMap(([log, index]) => depositOf(log, hash, index) ?? []),
    system: logsBy(systemConfig).reduce((system, [log]) => updateSystem(system, log, isEcotone), before),
  }
}
