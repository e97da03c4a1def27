// The part of the error table about what a test decides of the blocks to come.

import { row } from './error-row.ts'

export const BLOCK_ERRORS = {
  // go-ethereum, core/state/database.go
  stateNotAvailable: row<{ block: number }>(
    -32000,
    (e) => `historical state of block ${e.block} is not available: the option stateHistory does not keep it`,
  ),
  timestampTooLow: row<{ timestamp: number; least: number }>(
    -32602,
    (e) => `timestamp ${e.timestamp} is too low: the next block needs at least ${e.least}`,
  ),
  timestampTooHigh: row<{ timestamp: number; most: number }>(
    -32602,
    (e) => `timestamp ${e.timestamp} is too high: the clock ends at ${e.most}`,
  ),
  clockBeforeHead: row<{ seconds: number; least: number }>(
    -32602,
    (e) => `the clock cannot be set to ${e.seconds}, before the latest block at ${e.least}`,
  ),
  blockGasLimitZero: row(-32602, () => 'block gas limit must be greater than 0'),
  extraDataTooLong: row<{ size: number; most: number }>(
    -32602,
    (e) => `extra exceeds max length. ${e.size} > ${e.most}`,
  ),
  // Words of anvil and Hardhat
  needsBaseFee: row<{ call: string }>(-32602, (e) => `${e.call} is only supported when EIP-1559 is active`),
  replacedByBaseFee: row<{ call: string }>(
    -32602,
    (e) => `${e.call} is not supported when EIP-1559 is active`,
  ),
  needsMerge: row<{ call: string; hardfork: string }>(
    -32000,
    (e) => `${e.call} is only available in post-merge hardforks, the current hardfork is ${e.hardfork}`,
  ),
  blockBegun: row(
    -32000,
    () => 'the block being built already holds preconfirmed transactions; seal it first',
  ),
} as const
