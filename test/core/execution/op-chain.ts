// Executions on a chain of the OP stack without a node: rules of each fork, a block, its state, and its transactions.

import { type Hex, hexToBytes, numberToBytes, padHex } from 'viem'
import { createEvmPools, evmPoolFor, withEvm } from '../../../src/core/execution/evm/evm-pool.ts'
import type { ExecutionContext, InterpreterKind } from '../../../src/core/execution/evm/pooled-evm.ts'
import { runTransaction } from '../../../src/core/execution/transaction/run-transaction.ts'
import type { ExecutedTransaction, Transaction } from '../../../src/core/execution/transaction/transaction.ts'
import { depositTransaction } from '../../../src/core/pool/decode.ts'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { PersistentMap } from '../../../src/core/primitives/persistent-map.ts'
import type { Deposit } from '../../../src/core/rollup/deposit.ts'
import type { BlockEnvironment } from '../../../src/core/rollup/header.ts'
import type { OpFork } from '../../../src/core/rollup/op/forks.ts'
import { opSchedule } from '../../../src/core/rollup/op/schedule.ts'
import type { Rules } from '../../../src/core/rollup/rules.ts'
import type { Schedule } from '../../../src/core/rollup/schedule.ts'
import { type Account, makeCode, type WorldState } from '../../../src/core/state/world-state.ts'

await loadCrypto()

export const CHAIN_ID = 8453
export const ALICE: Hex = '0x00000000000000000000000000000000000a11ce'
export const BOB: Hex = '0x0000000000000000000000000000000000000b0b'
export const COINBASE: Hex = '0x4200000000000000000000000000000000000011'

const schedules = new Map<OpFork, Schedule>()

/** The schedule of a chain that is at a fork from genesis on; one a fork, as on a chain. */
export function opScheduleOf(fork: OpFork): Schedule {
  const eip1559 = { denominator: 250n, elasticity: 6n }
  const schedule = schedules.get(fork) ?? opSchedule({ chainId: CHAIN_ID, forks: fork, eip1559 })
  schedules.set(fork, schedule)
  return schedule
}

export function opRules(fork: OpFork): Rules {
  return opScheduleOf(fork).rulesAt({ number: 1, timestamp: 2, difficulty: 0n })
}

export const ENVIRONMENT: BlockEnvironment = {
  number: 1,
  timestamp: 1_700_000_002,
  parentHash: padHex('0x01', { size: 32 }),
  coinbase: COINBASE,
  gasLimit: 30_000_000n,
  baseFeePerGas: 7n,
  prevRandao: padHex('0x02', { size: 32 }),
  extraData: new Uint8Array(0),
  parentBeaconBlockRoot: padHex('0x03', { size: 32 }),
  excessBlobGas: 0n,
  blobBaseFee: 1n,
  difficulty: 0n,
}

export interface SimpleAccount {
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: Hex
  readonly storage?: Readonly<Record<Hex, Hex>>
}

export function accountOf({ balance = 0n, nonce = 0n, code = '0x', storage = {} }: SimpleAccount): Account {
  const slots = Object.entries(storage).map(
    ([slot, value]) => [padHex(slot as Hex, { size: 32 }), numberToBytes(BigInt(value))] as const,
  )
  return { balance, nonce, code: makeCode(hexToBytes(code)), storage: PersistentMap.from(slots) }
}

export function stateOf(accounts: Readonly<Record<Hex, SimpleAccount>>): WorldState {
  return PersistentMap.from(
    Object.entries(accounts).map(([address, account]) => [address as Hex, accountOf(account)]),
  )
}

const pools = {
  wasm: createEvmPools({ allowUnlimitedContractSize: false, interpreter: 'wasm' }),
  reference: createEvmPools({ allowUnlimitedContractSize: false, interpreter: 'reference' }),
}

export function contextOf(rules: Rules, interpreter: InterpreterKind = 'wasm'): ExecutionContext {
  return { evmPool: evmPoolFor(pools[interpreter], rules), blockHashOf: () => undefined }
}

export interface Ran {
  readonly executed: readonly ExecutedTransaction[]
  readonly state: WorldState
}

/** Runs transactions one after another, as the first of a block. */
export function runAll(
  rules: Rules,
  state: WorldState,
  transactions: readonly Transaction[],
  interpreter: InterpreterKind = 'wasm',
): Promise<Ran> {
  return withEvm(contextOf(rules, interpreter), state, async (instance) => {
    const executed: ExecutedTransaction[] = []
    let [gasUsed, logCount] = [0n, 0]
    for (const transaction of transactions) {
      const progress = { gasUsed, logCount, transactionCount: executed.length }
      const each = await runTransaction(instance, ENVIRONMENT, progress, transaction)
      executed.push(each)
      gasUsed = each.receipt.cumulativeGasUsed
      logCount += each.receipt.logs.length
    }
    return { executed, state: instance.writer.current }
  })
}

/** A deposit from Alice to Bob. */
export function deposit(fields: Partial<Deposit> = {}): Transaction {
  return depositTransaction({
    sourceHash: padHex('0xd0', { size: 32 }),
    ...{ from: ALICE, to: BOB, mint: 0n, value: 0n, gasLimit: 100_000n, isSystem: false },
    data: new Uint8Array(0),
    ...fields,
  })
}
