// The option `genesis`: parts of geth's genesis.json, or the whole file, with geth's checks of its `config`.

import { MAX_EXTRA_DATA_BYTES } from '../../chain/block/block.ts'
import { WORK_NONCE } from '../../chain/block/body.ts'
import { type Hex, ZERO_ADDRESS, ZERO_HASH } from '../../primitives/hex.ts'
import { LATEST_TIMESTAMP, MAX_GAS_LIMIT, MAX_UINT64 } from '../../primitives/numbers.ts'
import { INITIAL_BASE_FEE } from '../../rollup/fees.ts'
import { type ChainConfig, GETH_FORKS, isByBlock } from '../../rollup/geth-genesis.ts'
import type { BlobParameters } from '../../rollup/rules.ts'
import * as basic from '../../rpc/codecs/basic.ts'
import { asRecord, type Fields, field, hexData, word } from '../../rpc/codecs/basic.ts'
import { type Amount, amountUpTo, anyAmount, numberFrom, refuseValue } from '../../rpc/codecs/codec.ts'
import { decodeFields, or, restricted } from '../../rpc/codecs/object.ts'
import { anything, option } from '../checks.ts'
import type { FlavorDefaults } from './limits.ts'

/** geth's chain configuration; forks by block number or, from shanghai on, by seconds since the Unix epoch. */
interface GethChainConfig {
  readonly chainId?: number
  /** Zero for a chain that has merged from the start; absent or null for one that does not merge. */
  readonly terminalTotalDifficulty?: Amount | null
  readonly depositContractAddress?: string | null
  /** Blob parameters by the name of a fork (EIP-7840). */
  readonly blobSchedule?: Readonly<Record<string, GethBlobParameters>> | null
  readonly [fork: string]: unknown
}

interface GethBlobParameters {
  readonly target: number
  readonly max: number
  readonly baseFeeUpdateFraction: number
}

const MOST = Number.MAX_SAFE_INTEGER
const CONFIG = 'genesis.config'

function refuseConfig(key: string, expected: string, value: unknown): never {
  refuseValue(`${CONFIG}.${key}`, expected, value)
}

/** geth writes null for what is not set. */
function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

const forkPoint = amountUpTo(BigInt(MOST))
/** geth's genesis files may have addresses without 0x. */
const genesisAddress = basic.orUnprefixed(basic.address)

function forksOf(config: Fields): Record<string, number> {
  const known = new Set(GETH_FORKS.map(({ key }) => key))
  const forks: Record<string, number> = {}
  for (const [key, value] of Object.entries(config)) {
    if (isAbsent(value) || !/(block|time)$/i.test(key)) continue
    if (!known.has(key)) refuseConfig(key, `a fork that is supported, one of ${[...known].join(', ')}`, value)
    forks[key] = Number(forkPoint.decode(value, `${CONFIG}.${key}`))
  }
  return forks
}

/** Forks come in geth's order, those by time after those by block (geth, CheckConfigForkOrder). */
function checkOrder(forks: Readonly<Record<string, number>>): void {
  let last: { readonly key: string; readonly at: number | undefined } | undefined
  for (const { key, presence } of GETH_FORKS) {
    const at = forks[key]
    if (at === undefined && presence === 'optional') continue
    if (last !== undefined && at !== undefined) {
      if (last.at === undefined) refuseConfig(key, `${last.key} to be set before it`, at)
      if (isByBlock(last.key) === isByBlock(key) && last.at > at)
        refuseConfig(key, `at least ${last.at}, which is ${last.key}`, at)
    }
    last = { key, at }
  }
  const { eip155Block, eip158Block } = forks
  // Both are the hardfork spurious dragon.
  if (eip158Block !== undefined && eip155Block !== eip158Block)
    refuseConfig('eip158Block', `${eip155Block}, which is eip155Block`, eip158Block)
}

/** The DAO fork's move of balances (EIP-779) is not supported; a fork at genesis has nothing to move. */
function checkDao({ daoForkSupport }: Fields, { daoForkBlock = 0 }: Readonly<Record<string, number>>): void {
  if (!isAbsent(daoForkSupport) && typeof daoForkSupport !== 'boolean')
    refuseConfig('daoForkSupport', 'true or false', daoForkSupport)
  if (daoForkSupport === true && daoForkBlock > 0)
    refuseConfig('daoForkSupport', 'false: the move of the DAO is not supported', daoForkSupport)
}

function blobScheduleOf({ blobSchedule }: Fields): Record<string, BlobParameters> {
  const path = `${CONFIG}.blobSchedule`
  const set = isAbsent(blobSchedule) ? {} : asRecord(blobSchedule, path, 'an object of blob parameters')
  const given = Object.entries(set).filter(([, value]) => !isAbsent(value))
  const entries = given.map(([fork, value]): [string, BlobParameters] => {
    const at = `${path}.${fork}`
    const record = asRecord(value, at, 'an object with target, max and baseFeeUpdateFraction')
    const part = (name: string, least: number, most = MOST): number =>
      numberFrom(least, most).decode(record[name], `${at}.${name}`)
    const max = part('max', 1)
    const target = part('target', 0, max)
    return [fork, { target, max, baseFeeUpdateFraction: part('baseFeeUpdateFraction', 1) }]
  })
  return Object.fromEntries(entries)
}

function resolveConfig(value: unknown): ChainConfig | undefined {
  if (isAbsent(value)) return undefined
  const config: Fields = asRecord(value, 'genesis.config')
  const forks = forksOf(config)
  checkOrder(forks)
  checkDao(config, forks)
  if (config['enableVerkleAtGenesis'] === true)
    refuseConfig('enableVerkleAtGenesis', 'false: verkle trees are not supported', true)
  const { terminalTotalDifficulty: difficulty } = config
  // Numbers that are not safe integers, too: mainnet's is a JSON number above 2^53.
  const total = Number.isInteger(difficulty)
    ? { terminalTotalDifficulty: BigInt(difficulty as number) }
    : config
  return {
    chainId: option(config, 'chainId', numberFrom(1), 1, CONFIG),
    terminalTotalDifficulty: field(total, 'terminalTotalDifficulty', anyAmount, CONFIG),
    depositContract: field(config, 'depositContractAddress', genesisAddress, CONFIG),
    blobSchedule: blobScheduleOf(config),
    forks,
  }
}

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

/** The first block; absent parts have defaults. */
export interface GenesisOptions {
  /**
   * geth's chain configuration: the fork schedule and the chain id. With it, only the accounts of `alloc` exist: no
   * funded accounts and no system contracts are added.
   */
  readonly config?: GethChainConfig
  /** Accounts by address, besides the funded accounts and the system contracts. */
  readonly alloc?: Readonly<Record<string, GenesisAccount>>
  /** The number of the first block, up to 2⁵². Default 0. */
  readonly number?: Amount
  /** Seconds since the Unix epoch; the start of the virtual clock. Default 2024-01-01T00:00:00Z. */
  readonly timestamp?: Amount
  /** Gas limit of every block, from 5000 to 2⁶³ - 1. Default 60,000,000. */
  readonly gasLimit?: Amount
  /** Wei per gas. Default 1 gwei. */
  readonly baseFeePerGas?: Amount | null
  /**
   * The recipient of tips. Default: the sequencer's fee vault, 0x4200000000000000000000000000000000000011; zero in the
   * flavor 'hardhat'.
   */
  readonly coinbase?: string
  /**
   * The extra data of every block, up to 32 bytes; with `config` any length, as in geth's files, of which later blocks
   * have the first 32 bytes. Default empty; in the flavor 'hardhat' 0x1234 in genesis alone.
   */
  readonly extraData?: Hex
  /** Default 0; 1 in the flavor 'hardhat' before the merge. */
  readonly difficulty?: Amount
  /** 32 bytes; prevRandao after the merge. Default 0. */
  readonly mixHash?: Hex
  /** 8 bytes. Default 0; 0x42 in the flavor 'hardhat' before the merge. */
  readonly nonce?: Amount
  /** Gas (EIP-4844). Default 0. */
  readonly excessBlobGas?: Amount | null
  /** Gas (EIP-4844). Default 0. */
  readonly blobGasUsed?: Amount | null
}

/** 2024-01-01T00:00:00Z. */
const GENESIS_TIMESTAMP = 1_704_067_200
const GENESIS_GAS_LIMIT = 60_000_000n
/** The difficulty of Hardhat's genesis before the merge. */
const GENESIS_DIFFICULTY = 1n

const slotKey = word('a storage slot')
const slotValue = word('a storage value')
const anyUint64 = amountUpTo(MAX_UINT64)
function resolveGenesisAccount(value: unknown, path: string) {
  const account = decodeFields(value, path, {
    balance: or(anyAmount, 0n),
    nonce: or(anyUint64, 0n),
    code: or(hexData, '0x'),
    storage: or(anything, {}),
  })
  const at = `${path}.storage`
  const storage = Object.entries(asRecord(account.storage, at)).map(([key, given]): [Hex, Hex] => [
    slotKey.decode(key, `${at} key`),
    slotValue.decode(given, `${at}[${key}]`),
  ])
  return { ...account, storage }
}

/** Defaults with a chain configuration. */
const FILE_DEFAULTS = {
  timestamp: 0,
  coinbase: ZERO_ADDRESS,
  extraData: '0x',
  difficulty: 0n,
  nonce: 0n,
} as const

const upTo = (most: number, expected: string) =>
  restricted(anyAmount, expected, (given) => given <= most && Number(given))
/** Leaves as many numbers for later blocks. */
const MAX_GENESIS_NUMBER = 2 ** 52
const genesisNumber = upTo(MAX_GENESIS_NUMBER, `at most ${MAX_GENESIS_NUMBER}`)
const genesisTime = upTo(LATEST_TIMESTAMP, `seconds up to ${LATEST_TIMESTAMP}`)
const LEAST_GAS_LIMIT = 5000n
const genesisGasLimit = restricted(
  amountUpTo(MAX_GAS_LIMIT),
  `at least ${LEAST_GAS_LIMIT}`,
  (gasLimit) => gasLimit >= LEAST_GAS_LIMIT && gasLimit,
)
/** Extra data that later blocks may have too. */
const extraData = restricted(
  hexData,
  `hex of up to ${MAX_EXTRA_DATA_BYTES} bytes`,
  (data) => data.length <= 2 + 2 * MAX_EXTRA_DATA_BYTES && data,
)

/** geth writes null for fields of later forks. */
const NULLABLE = ['baseFeePerGas', 'excessBlobGas', 'blobGasUsed'] as const

function tableOf(defaults: typeof FILE_DEFAULTS | ReturnType<typeof ownDefaults>, isFile: boolean) {
  return {
    config: anything,
    alloc: or(anything, {}),
    number: or(genesisNumber, 0),
    timestamp: or(genesisTime, defaults.timestamp),
    gasLimit: or(genesisGasLimit, GENESIS_GAS_LIMIT),
    baseFeePerGas: or(anyAmount, INITIAL_BASE_FEE),
    coinbase: or(genesisAddress, defaults.coinbase),
    extraData: or(isFile ? hexData : extraData, defaults.extraData),
    difficulty: or(anyAmount, defaults.difficulty),
    mixHash: or(word('a hash'), ZERO_HASH),
    nonce: or(anyUint64, defaults.nonce),
    excessBlobGas: or(anyUint64, 0n),
    blobGasUsed: or(anyUint64, 0n),
    // Fields of geth's files that are fixed for a genesis block; they are ignored.
    gasUsed: anything,
    parentHash: anything,
  }
}

const GENESIS_KEYS = Object.keys(tableOf(FILE_DEFAULTS, true)) as (keyof ReturnType<typeof tableOf>)[]

function ownDefaults({ genesisCoinbase, genesisExtraData }: FlavorDefaults, hasWork: boolean) {
  return {
    timestamp: GENESIS_TIMESTAMP,
    coinbase: genesisCoinbase,
    extraData: genesisExtraData,
    difficulty: hasWork ? GENESIS_DIFFICULTY : 0n,
    nonce: hasWork ? BigInt(WORK_NONCE) : 0n,
  }
}

/** `hasWork`: whether the chain has proof of work, as Hardhat's before the merge. */
export function resolveGenesis(value: unknown, flavor: FlavorDefaults, hasWork: boolean) {
  const given = { ...basic.asFields(value === undefined ? {} : value, 'genesis', GENESIS_KEYS) }
  const config = resolveConfig(given.config)
  const isFile = config !== undefined
  if (isFile) for (const key of NULLABLE) given[key] ??= undefined
  const table = tableOf(isFile ? FILE_DEFAULTS : ownDefaults(flavor, hasWork), isFile)
  const { gasUsed, parentHash, ...genesis } = decodeFields(given, 'genesis', table)
  return {
    ...genesis,
    config,
    alloc: Object.entries(asRecord(genesis.alloc, 'genesis.alloc')).map(([key, account]) => ({
      address: genesisAddress.decode(key, 'genesis.alloc key'),
      ...resolveGenesisAccount(account, `genesis.alloc[${key}]`),
    })),
    isCoinbaseNamed: given.coinbase !== undefined,
    isExtraDataNamed: given.extraData !== undefined,
    blockExtraData: given.extraData === undefined ? '0x' : genesis.extraData,
    // A header's nonce has 8 bytes.
    nonce: `0x${genesis.nonce.toString(16).padStart(16, '0')}` as Hex,
  }
}
