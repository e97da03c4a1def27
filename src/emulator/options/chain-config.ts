// geth's chain configuration in a genesis file: what a user may say in it, checked as geth checks it.

import type { Address } from '../../primitives/hex.ts'
import { type ChainConfig, GETH_FORKS, isByBlock } from '../../rollup/geth-genesis.ts'
import type { BlobParameters } from '../../rollup/rules.ts'
import type { Amount } from './checks.ts'
import { asAddress, asInteger, refuse } from './checks.ts'

/** geth's chain configuration; forks by block number or, from shanghai on, by seconds since the Unix epoch. */
export interface GethChainConfig {
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

type Fields = Readonly<Record<string, unknown>>

const MOST = Number.MAX_SAFE_INTEGER
const INTEGER_TEXT = /^(0x[0-9a-fA-F]+|[0-9]+)$/

/** geth writes null for what is not set. */
function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function asWholeNumber(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  // The terminal total difficulty of mainnet is beyond what JavaScript counts exactly, and JSON has it as a number.
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && INTEGER_TEXT.test(value) ? BigInt(value) : undefined
}

function asForkPoint(option: string, value: unknown): number {
  const point = asWholeNumber(value)
  if (point === undefined || point < 0n || point > BigInt(MOST)) {
    refuse(option, `a whole number from 0 to ${MOST}, as bigint, number, hex or decimal string`, value)
  }
  return Number(point)
}

function forksOf(config: Fields): Record<string, number> {
  const known = new Set(GETH_FORKS.map(({ key }) => key))
  const forks: Record<string, number> = {}
  for (const [key, value] of Object.entries(config)) {
    if (isAbsent(value) || !/(block|time)$/i.test(key)) continue
    const option = `genesis.config.${key}`
    if (!known.has(key)) refuse(option, `a fork that is supported, one of ${[...known].join(', ')}`, value)
    forks[key] = asForkPoint(option, value)
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
      if (last.at === undefined) refuse(`genesis.config.${key}`, `${last.key} to be set before it`, at)
      if (isByBlock(last.key) === isByBlock(key) && last.at > at) {
        refuse(`genesis.config.${key}`, `at least ${last.at}, which is ${last.key}`, at)
      }
    }
    last = { key, at }
  }
  const { eip155Block, eip158Block } = forks
  // They are one hardfork, spurious dragon, everywhere.
  if (eip158Block !== undefined && eip155Block !== eip158Block) {
    refuse('genesis.config.eip158Block', `${eip155Block}, which is eip155Block`, eip158Block)
  }
}

/** The state that the fork of the DAO moved (EIP-779) is not moved here; at genesis there is nothing to move. */
function checkDao(config: Fields, { daoForkBlock }: Readonly<Record<string, number>>): void {
  const { daoForkSupport } = config
  if (!isAbsent(daoForkSupport) && typeof daoForkSupport !== 'boolean') {
    refuse('genesis.config.daoForkSupport', 'true or false', daoForkSupport)
  }
  if (daoForkSupport === true && daoForkBlock !== undefined && daoForkBlock > 0) {
    refuse('genesis.config.daoForkSupport', 'false: the move of the DAO is not supported', daoForkSupport)
  }
}

function asBlobParameters(option: string, value: unknown): BlobParameters {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(option, 'an object with target, max and baseFeeUpdateFraction', value)
  }
  const { target, max, baseFeeUpdateFraction } = value as Fields
  const needed = (name: string, given: unknown, least: number, most: number): number => {
    const path = `${option}.${name}`
    // What is absent has no fallback here.
    return asInteger(path, given ?? refuse(path, 'a whole number', given), least, least, most)
  }
  const mostBlobs = needed('max', max, 1, MOST)
  return {
    target: needed('target', target, 0, mostBlobs),
    max: mostBlobs,
    baseFeeUpdateFraction: needed('baseFeeUpdateFraction', baseFeeUpdateFraction, 1, MOST),
  }
}

function blobScheduleOf({ blobSchedule }: Fields): Record<string, BlobParameters> {
  if (isAbsent(blobSchedule)) return {}
  const option = 'genesis.config.blobSchedule'
  if (typeof blobSchedule !== 'object' || Array.isArray(blobSchedule)) {
    refuse(option, 'an object of blob parameters', blobSchedule)
  }
  const set = Object.entries(blobSchedule).filter(([, value]) => !isAbsent(value))
  return Object.fromEntries(set.map(([name, value]) => [name, asBlobParameters(`${option}.${name}`, value)]))
}

function totalDifficultyOf({ terminalTotalDifficulty: given }: Fields): bigint | undefined {
  if (isAbsent(given)) return undefined
  const total = asWholeNumber(given)
  if (total === undefined || total < 0n) {
    const expected = 'a whole number from 0, as bigint, number, hex or decimal string'
    refuse('genesis.config.terminalTotalDifficulty', expected, given)
  }
  return total
}

function depositContractOf({ depositContractAddress: given }: Fields): Address | undefined {
  return isAbsent(given) ? undefined : asAddress('genesis.config.depositContractAddress', given)
}

/** Checks geth's chain configuration; throws `invalidOption`, naming what is wrong in it. */
export function resolveConfig(value: unknown): ChainConfig | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) refuse('genesis.config', 'an object', value)
  const config = value as Fields
  const forks = forksOf(config)
  checkOrder(forks)
  checkDao(config, forks)
  if (config['enableVerkleAtGenesis'] === true) {
    refuse('genesis.config.enableVerkleAtGenesis', 'false: verkle trees are not supported', true)
  }
  return {
    chainId: asInteger('genesis.config.chainId', config['chainId'], 1, 1, MOST),
    terminalTotalDifficulty: totalDifficultyOf(config),
    depositContract: depositContractOf(config),
    blobSchedule: blobScheduleOf(config),
    forks,
  }
}
