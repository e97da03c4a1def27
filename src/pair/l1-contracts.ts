// Calls to the layer 1's contracts, encoded, and what their events and results say. Their custom errors are in
// generated-l1-errors.ts.

import { type Address, type Hash, type Hex, toWord } from '../primitives/hex.ts'
import { keccakOfText } from '../rollup/op/solidity-words.ts'

/** Call data of a function whose arguments are words. */
function encodeCall(signature: string, ...words: readonly (bigint | number | Hash)[]): Hex {
  const encoded = words.map((word) => toWord(BigInt(word)).slice(2))
  return `0x${keccakOfText(signature).slice(2, 10)}${encoded.join('')}`
}

/**
 * Call data for DisputeGameFactory: proposes an output.
 *
 * @param gameType see l1-genesis-options.ts
 * @param outputRoot of the layer 2 after a block
 * @param blockNumber of that block
 */
export function createGame(gameType: number, outputRoot: Hash, blockNumber: number): Hex {
  const offset = 96
  const length = 32
  return encodeCall('create(uint32,bytes32,bytes)', gameType, outputRoot, offset, length, blockNumber)
}

/** Call data for a game that nobody has challenged: settles its only claim. Comes before `resolveGame`. */
export function resolveRootClaim(): Hex {
  return encodeCall('resolveClaim(uint256,uint256)', 0, 0)
}

/** Call data for a game: settles it. */
export function resolveGame(): Hex {
  return encodeCall('resolve()')
}

/** Call data for OptimismPortal2: asks for the type of games that withdrawals are proved against. */
export function askRespectedGameType(): Hex {
  return encodeCall('respectedGameType()')
}

/** Call data for DisputeGameFactory: asks for the wei that the creator of a game deposits. */
export function askInitialBond(gameType: number): Hex {
  return encodeCall('initBonds(uint32)', gameType)
}

/** A log, as far as it is read here. */
interface EventLog {
  readonly address: Address
  readonly topics: readonly Hash[]
}

/** What a factory's event says of a new game. */
export interface GameCreated {
  readonly game: Address
  readonly gameType: number
  readonly outputRoot: Hash
}

/** The game that a log of the factory tells of; `undefined` for other logs. */
export function readGameCreated(factory: Address, { address, topics }: EventLog): GameCreated | undefined {
  const [event, game, gameType, outputRoot] = topics
  if (address !== factory || event !== keccakOfText('DisputeGameCreated(address,uint32,bytes32)'))
    return undefined
  if (game === undefined || gameType === undefined || outputRoot === undefined) return undefined
  return { game: `0x${game.slice(-40)}`, gameType: Number(gameType), outputRoot }
}
