// The fields of the block that a chain is forked at, from the upstream's answer.

import { type Address, type Hash, type Hex, hexToBytes, ZERO_ADDRESS, ZERO_HASH } from '../primitives/hex.ts'
import {
  answeredAmount,
  answeredHash,
  answeredHex,
  answeredInteger,
  fieldIn,
  type Place,
  refuseAnswer,
} from './answers.ts'

/** Fields that later forks added are `undefined` where the block has none. */
export interface ForkHeader {
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
  readonly hash: Hash
  readonly parentHash: Hash
  readonly unclesHash: Hash
  readonly coinbase: Address
  readonly stateRoot: Hash
  readonly transactionsRoot: Hash
  readonly receiptsRoot: Hash
  readonly logsBloom: Uint8Array
  readonly difficulty: bigint
  readonly totalDifficulty: bigint | undefined
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly extraData: Uint8Array
  readonly mixHash: Hash
  readonly nonce: Hex | undefined
  readonly baseFeePerGas: bigint | undefined
  readonly withdrawalsRoot: Hash | undefined
  readonly blobGasUsed: bigint | undefined
  readonly excessBlobGas: bigint | undefined
  readonly parentBeaconBlockRoot: Hash | undefined
  readonly requestsHash: Hash | undefined
}

const BLOOM_BYTES = 256
const NONCE_BYTES = 8
/** The latest timestamp of a block here: the end of the clock is later. */
const MOST_TIMESTAMP = 2 ** 43

/** Reads the header of a block, whose fields must have the shapes that JSON-RPC gives them. */
export function readForkHeader(block: Record<string, unknown>, place: Place): ForkHeader {
  const hash = (name: string): Hash => answeredHash(...fieldIn(block, name, place))
  const amount = (name: string): bigint => answeredAmount(...fieldIn(block, name, place))
  const integer = (name: string): number => answeredInteger(...fieldIn(block, name, place))
  const hex = (name: string, length?: number): Hex => {
    const [value, at] = fieldIn(block, name, place)
    return answeredHex(value, at, length)
  }
  const optional = <Value>(name: string, read: (name: string) => Value): Value | undefined => {
    const value = block[name]
    return value === undefined || value === null ? undefined : read(name)
  }
  const timestamp = integer('timestamp')
  if (timestamp > MOST_TIMESTAMP) refuseAnswer({ ...place, path: `${place.path}.timestamp` }, 'seconds')
  return {
    number: integer('number'),
    timestamp,
    hash: hash('hash'),
    parentHash: hash('parentHash'),
    unclesHash: hash('sha3Uncles'),
    coinbase: optional('miner', (name) => hex(name, 20)) ?? ZERO_ADDRESS,
    stateRoot: hash('stateRoot'),
    transactionsRoot: hash('transactionsRoot'),
    receiptsRoot: hash('receiptsRoot'),
    logsBloom: hexToBytes(hex('logsBloom', BLOOM_BYTES)),
    difficulty: optional('difficulty', amount) ?? 0n,
    totalDifficulty: optional('totalDifficulty', amount),
    gasLimit: amount('gasLimit'),
    gasUsed: amount('gasUsed'),
    extraData: hexToBytes(hex('extraData')),
    mixHash: optional('mixHash', hash) ?? ZERO_HASH,
    nonce: optional('nonce', (name) => hex(name, NONCE_BYTES)),
    baseFeePerGas: optional('baseFeePerGas', amount),
    withdrawalsRoot: optional('withdrawalsRoot', hash),
    blobGasUsed: optional('blobGasUsed', amount),
    excessBlobGas: optional('excessBlobGas', amount),
    parentBeaconBlockRoot: optional('parentBeaconBlockRoot', hash),
    requestsHash: optional('requestsHash', hash),
  }
}
