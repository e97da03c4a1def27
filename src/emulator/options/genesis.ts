// The first block: what a user may say of it, as parts of geth's genesis.json or as the whole file.

import { type Hex, ZERO_ADDRESS } from '../../primitives/hex.ts'
import { INITIAL_BASE_FEE } from '../../rollup/fees.ts'
import { SEQUENCER_FEE_VAULT } from '../../rollup/system-contracts.ts'
import { type GethChainConfig, resolveConfig } from './chain-config.ts'
import type { Amount } from './checks.ts'
import { asAddress, asAmount, asData, asObject, asWord, MAX_UINT64, refuse } from './checks.ts'

/** An account in the genesis allocation, as in geth's genesis.json. */
export interface GenesisAccount {
  /** Wei. Default 0. */
  readonly balance?: Amount
  /** A number below 2⁶⁴. Default 0. */
  readonly nonce?: Amount
  /** Deployed code. Default none. */
  readonly code?: Hex
  /** Slot → value, hex of up to 32 bytes. */
  readonly storage?: Readonly<Record<string, Hex>>
}

/** The first block; parts that are absent get the defaults. */
export interface GenesisOptions {
  /**
   * geth's chain configuration: the fork schedule and the chain id. With it the file is taken as it stands: no
   * accounts are funded, and no system contracts are added, beyond what `alloc` says.
   */
  readonly config?: GethChainConfig
  /** Accounts by address, beside the funded accounts and the system contracts. */
  readonly alloc?: Readonly<Record<string, GenesisAccount>>
  /** Seconds since the Unix epoch; where the virtual clock starts. Default 2024-01-01T00:00:00Z. */
  readonly timestamp?: Amount
  /** Of every block, from 5000. Default 60,000,000. */
  readonly gasLimit?: Amount
  /** Wei per gas. Default 1 gwei. */
  readonly baseFeePerGas?: Amount | null
  /** The recipient of tips. Default: the sequencer's fee vault, 0x4200000000000000000000000000000000000011. */
  readonly coinbase?: string
  /** Up to 32 bytes. Default empty. */
  readonly extraData?: Hex
  /** Default 0. */
  readonly difficulty?: Amount
  /** 32 bytes; prevRandao after the merge. Default 0. */
  readonly mixHash?: Hex
  /** 8 bytes. Default 0. */
  readonly nonce?: Amount
  /** Gas (EIP-4844). Default 0. */
  readonly excessBlobGas?: Amount | null
  /** Gas (EIP-4844). Default 0. */
  readonly blobGasUsed?: Amount | null
}

/** 2024-01-01T00:00:00Z. */
const GENESIS_TIMESTAMP = 1_704_067_200
const LATEST_TIMESTAMP = 253_402_300_799n
const GENESIS_GAS_LIMIT = 60_000_000n

function resolveGenesisAccount(option: string, value: unknown) {
  const account = asObject<GenesisAccount>(option, value, ['balance', 'nonce', 'code', 'storage'])
  const storage = account.storage === undefined ? {} : account.storage
  if (typeof storage !== 'object' || storage === null || Array.isArray(storage)) {
    refuse(`${option}.storage`, 'an object of slots', storage)
  }
  return {
    balance: asAmount(`${option}.balance`, account.balance, 0n),
    nonce: asAmount(`${option}.nonce`, account.nonce, 0n, MAX_UINT64),
    code: asData(`${option}.code`, account.code, '0x'),
    storage: Object.entries(storage).map(([slot, word]): [Hex, Hex] => [
      asWord(`${option}.storage key`, slot),
      asWord(`${option}.storage[${slot}]`, word),
    ]),
  }
}

const GENESIS_KEYS = [
  'config',
  'alloc',
  'timestamp',
  'gasLimit',
  'baseFeePerGas',
  'coinbase',
  'extraData',
  'difficulty',
  'mixHash',
  'nonce',
  'excessBlobGas',
  'blobGasUsed',
  // What geth writes into the file besides, and a genesis block has no choice about.
  'number',
  'gasUsed',
  'parentHash',
] as const

/** Defaults of a chain of our own, and of a file that says nothing. */
const OWN_DEFAULTS = { timestamp: BigInt(GENESIS_TIMESTAMP), coinbase: SEQUENCER_FEE_VAULT }
const FILE_DEFAULTS = { timestamp: 0n, coinbase: ZERO_ADDRESS }

export function resolveGenesis(value: unknown = {}) {
  const genesis = asObject<Record<(typeof GENESIS_KEYS)[number], unknown>>('genesis', value, GENESIS_KEYS)
  const config = resolveConfig(genesis.config)
  const defaults = config === undefined ? OWN_DEFAULTS : FILE_DEFAULTS
  const { alloc = {} } = genesis
  if (typeof alloc !== 'object' || alloc === null || Array.isArray(alloc)) {
    refuse('genesis.alloc', 'an object of accounts', alloc)
  }
  const amount = (key: (typeof GENESIS_KEYS)[number], fallback: bigint, most?: bigint): bigint =>
    asAmount(
      `genesis.${key}`,
      config !== undefined && isLeftOpen(key, genesis[key]) ? undefined : genesis[key],
      fallback,
      most,
    )
  const timestamp = amount('timestamp', defaults.timestamp)
  if (timestamp > LATEST_TIMESTAMP)
    refuse('genesis.timestamp', `seconds up to ${LATEST_TIMESTAMP}`, genesis.timestamp)
  const gasLimit = amount('gasLimit', GENESIS_GAS_LIMIT, MAX_UINT64)
  if (gasLimit < 5000n) refuse('genesis.gasLimit', 'at least 5000', genesis.gasLimit)
  return {
    config,
    alloc: Object.entries(alloc).map(([address, account]) => ({
      address: asAddress('genesis.alloc key', address),
      ...resolveGenesisAccount(`genesis.alloc[${address}]`, account),
    })),
    timestamp: Number(timestamp),
    gasLimit,
    baseFeePerGas: amount('baseFeePerGas', INITIAL_BASE_FEE),
    coinbase:
      genesis.coinbase === undefined ? defaults.coinbase : asAddress('genesis.coinbase', genesis.coinbase),
    extraData: asData('genesis.extraData', genesis.extraData, '0x'),
    difficulty: amount('difficulty', 0n),
    mixHash: asWord('genesis.mixHash', genesis.mixHash === undefined ? '0x0' : genesis.mixHash),
    nonce: toQuantityBytes(amount('nonce', 0n, MAX_UINT64)),
    excessBlobGas: amount('excessBlobGas', 0n, MAX_UINT64),
    blobGasUsed: amount('blobGasUsed', 0n, MAX_UINT64),
  }
}

/** geth writes null for what came with later forks. */
function isLeftOpen(key: string, value: unknown): boolean {
  return value === null && ['baseFeePerGas', 'excessBlobGas', 'blobGasUsed'].includes(key)
}

/** A header's nonce: 8 bytes. */
function toQuantityBytes(nonce: bigint): Hex {
  return `0x${nonce.toString(16).padStart(16, '0')}`
}
