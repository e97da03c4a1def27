// The option `genesis.config`: geth's chain configuration, with geth's checks.

import { type ChainConfig, GETH_FORKS, isByBlock } from '../../rollup/geth-genesis.ts'
import type { BlobParameters } from '../../rollup/rules.ts'
import { address, asRecord, type Fields, orUnprefixed } from '../../rpc/codecs/basic.ts'
import { type Amount, amountUpTo, anyAmount, numberFrom, refuseValue } from '../../rpc/codecs/codec.ts'
import { option } from '../checks.ts'

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

const MOST = Number.MAX_SAFE_INTEGER

/** geth writes null for what is not set. */
function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

const forkPoint = amountUpTo(BigInt(MOST))

function forksOf(config: Fields): Record<string, number> {
  const known = new Set(GETH_FORKS.map(({ key }) => key))
  const forks: Record<string, number> = {}
  for (const [key, value] of Object.entries(config)) {
    if (isAbsent(value) || !/(block|time)$/i.test(key)) continue
    const option = `genesis.config.${key}`
    if (!known.has(key))
      refuseValue(option, `a fork that is supported, one of ${[...known].join(', ')}`, value)
    forks[key] = Number(forkPoint.decode(value, option))
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
      if (last.at === undefined) refuseValue(`genesis.config.${key}`, `${last.key} to be set before it`, at)
      if (isByBlock(last.key) === isByBlock(key) && last.at > at) {
        refuseValue(`genesis.config.${key}`, `at least ${last.at}, which is ${last.key}`, at)
      }
    }
    last = { key, at }
  }
  const { eip155Block, eip158Block } = forks
  // Both are the hardfork spurious dragon.
  if (eip158Block !== undefined && eip155Block !== eip158Block) {
    refuseValue('genesis.config.eip158Block', `${eip155Block}, which is eip155Block`, eip158Block)
  }
}

/** The DAO fork's move of balances (EIP-779) is not supported; a fork at genesis has nothing to move. */
function checkDao(config: Fields, { daoForkBlock }: Readonly<Record<string, number>>): void {
  const { daoForkSupport } = config
  if (!isAbsent(daoForkSupport) && typeof daoForkSupport !== 'boolean') {
    refuseValue('genesis.config.daoForkSupport', 'true or false', daoForkSupport)
  }
  if (daoForkSupport === true && daoForkBlock !== undefined && daoForkBlock > 0) {
    refuseValue(
      'genesis.config.daoForkSupport',
      'false: the move of the DAO is not supported',
      daoForkSupport,
    )
  }
}

function blobScheduleOf({ blobSchedule }: Fields): Record<string, BlobParameters> {
  const path = 'genesis.config.blobSchedule'
  const set = isAbsent(blobSchedule) ? {} : asRecord(blobSchedule, path, 'an object of blob parameters')
  const entries = Object.entries(set).flatMap(([fork, value]): [string, BlobParameters][] => {
    if (isAbsent(value)) return []
    const at = `${path}.${fork}`
    const record = asRecord(value, at, 'an object with target, max and baseFeeUpdateFraction')
    const part = (name: string, least: number, most = MOST): number =>
      numberFrom(least, most).decode(record[name], `${at}.${name}`)
    const max = part('max', 1)
    const target = part('target', 0, max)
    return [[fork, { target, max, baseFeeUpdateFraction: part('baseFeeUpdateFraction', 1) }]]
  })
  return Object.fromEntries(entries)
}

/** Checks geth's chain configuration; throws `invalidOption`, naming what is wrong in it. */
export function resolveConfig(value: unknown): ChainConfig | undefined {
  if (isAbsent(value)) return undefined
  const config: Fields = asRecord(value, 'genesis.config')
  const forks = forksOf(config)
  checkOrder(forks)
  checkDao(config, forks)
  if (config['enableVerkleAtGenesis'] === true) {
    refuseValue('genesis.config.enableVerkleAtGenesis', 'false: verkle trees are not supported', true)
  }
  const at = (name: string): string => `genesis.config.${name}`
  const { terminalTotalDifficulty: difficulty, depositContractAddress: contract } = config
  // Numbers that are not safe integers, too: mainnet's is a JSON number above 2^53.
  const total = Number.isInteger(difficulty) ? BigInt(difficulty as number) : difficulty
  return {
    chainId: option(config, 'chainId', numberFrom(1), 1, 'genesis.config'),
    terminalTotalDifficulty: isAbsent(total)
      ? undefined
      : anyAmount.decode(total, at('terminalTotalDifficulty')),
    depositContract: isAbsent(contract)
      ? undefined
      : orUnprefixed(address).decode(contract, at('depositContractAddress')),
    blobSchedule: blobScheduleOf(config),
    forks,
  }
}
