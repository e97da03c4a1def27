// What a rollup has on a forked layer 1: its contracts, found from its SystemConfig, and its dispute games.

import type { Emulator } from '../../core/emulator/api.ts'
import { TickchainError } from '../../core/primitives/errors.ts'
import { type Address, bytesToHex, type Hex, toWord } from '../../core/primitives/hex.ts'
import { callInput } from './actors/actors.ts'
import type { L1Addresses } from './l1-addresses.ts'

export type FoundOnL1 = Exclude<Awaited<ReturnType<typeof findOnL1>>, string>

/** The answer of a contract; `undefined` if it has none, as of another release. */
async function read(l1: Emulator, to: Address, signature: string, ...words: Hex[]): Promise<Hex | undefined> {
  const data = bytesToHex(callInput(signature, words))
  try {
    const answer = await l1.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })
    return answer.length >= 66 ? answer : undefined
  } catch (error) {
    if (error instanceof TickchainError && error.kind === 'reverted') return undefined
    throw error
  }
}

const addressIn = (word: Hex | undefined): Address | undefined => word && `0x${word.slice(26, 66)}`

/** Contracts by the getters that tell them: of SystemConfig, and of the portal. */
const OF_SYSTEM_CONFIG = [
  'optimismPortal',
  'l1CrossDomainMessenger',
  'l1StandardBridge',
  'l1ERC721Bridge',
  'optimismMintableERC20Factory',
  'batchInbox',
] as const
const OF_PORTAL = ['disputeGameFactory', 'superchainConfig', 'respectedGameType'] as const

async function readAll<Name extends string>(l1: Emulator, to: Address, names: readonly Name[]) {
  const words = await Promise.all(names.map((name) => read(l1, to, `${name}()`)))
  return Object.fromEntries(names.map((name, index) => [name, words[index]])) as Partial<Record<Name, Hex>>
}

/**
 * The chain and the proposer in the arguments that a factory of later releases hands to games (LibGameArgs): prestate,
 * machine, registry, bonds' contract, chain id, and of permissioned games proposer and challenger. Undefined for others.
 */
function readGameArguments(list: string) {
  const length = list.length / 2
  if (length !== 124 && length !== 164) return undefined
  const bytes = (from: number, to: number): Hex => `0x${list.slice(2 * from, 2 * to)}`
  return { l2ChainId: bytes(92, 124), proposer: length === 124 ? undefined : bytes(124, 144) }
}

/** The games of a type; `proposer` is `undefined` if anybody may create one. */
async function readGames(l1: Emulator, factory: Address, gameType: Hex) {
  const [implementation, bond, list] = await Promise.all(
    ['gameImpls(uint32)', 'initBonds(uint32)', 'gameArgs(uint32)'].map((name) =>
      read(l1, factory, name, gameType),
    ),
  )
  const told = await readAll(l1, addressIn(implementation) as Address, [
    'maxClockDuration',
    'proposer',
    'l2ChainId',
  ])
  const length = Number(`0x${list?.slice(66, 130) ?? 0}`)
  const own =
    length === 0
      ? { l2ChainId: told.l2ChainId, proposer: addressIn(told.proposer) }
      : readGameArguments((list as Hex).slice(130, 130 + 2 * length))
  const seconds = own && told.maxClockDuration
  return {
    ...own,
    bond: BigInt(bond ?? 0),
    gameMs: seconds === undefined ? undefined : Number(seconds) * 1000,
  }
}

/** Finds the contracts of a rollup by the address of its SystemConfig; returns what was expected if it is another. */
export async function findOnL1(l1: Emulator, systemConfig: Address, chainId: number) {
  const { batchInbox, ...told } = await readAll(l1, systemConfig, OF_SYSTEM_CONFIG)
  const portal = addressIn(told.optimismPortal)
  if (portal === undefined || batchInbox === undefined)
    return 'the address of SystemConfig, which has optimismPortal() and batchInbox()'
  const { respectedGameType, ...more } = await readAll(l1, portal, OF_PORTAL)
  const factory = addressIn(more.disputeGameFactory)
  if (factory === undefined || respectedGameType === undefined)
    return `that of a chain with dispute games, which the portal ${portal} does not have`
  const games = await readGames(l1, factory, respectedGameType)
  if (games.l2ChainId !== undefined && BigInt(games.l2ChainId) !== BigInt(chainId))
    return `that of chain ${chainId}, not that of chain ${BigInt(games.l2ChainId)}`
  const words = Object.entries({ ...told, ...more, systemConfig: toWord(BigInt(systemConfig)) })
  const addresses = Object.fromEntries(words.map(([name, word]) => [name, addressIn(word)]))
  return {
    addresses: addresses as unknown as L1Addresses,
    batchInbox: addressIn(batchInbox) as Address,
    game: {
      gameType: Number(respectedGameType),
      bond: games.bond,
      gameMs: games.gameMs,
      proposer: games.proposer,
    },
  }
}
